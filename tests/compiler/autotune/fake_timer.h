// A clock that tests turn, so that nothing depends on how fast the machine is.
#pragma once

#include <burn/compiler/autotune/measure.h>
#include <burn/compiler/autotune/settings.h>

namespace burn::autotune {

class FakeTimer final : public Timer {
public:
    double now() override { return time; }
    double seconds(FunctionRef<void()> run, int times) override {
        const double begin = time;
        for (int i = 0; i < times; ++i) run();
        return time - begin;
    }

    double time = 100;
};

/// Settings for one scope.
class WithSettings {
public:
    explicit WithSettings(const Settings& settings) : before_(autotune::settings()) { set_settings(settings); }
    ~WithSettings() { set_settings(before_); }
    WithSettings(const WithSettings&) = delete;
    WithSettings& operator=(const WithSettings&) = delete;

private:
    Settings before_;
};

}  // namespace burn::autotune
