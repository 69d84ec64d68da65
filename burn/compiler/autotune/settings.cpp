#include <burn/compiler/autotune/settings.h>

#include <burn/base/environment.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>

namespace burn::autotune {

namespace {

bool are_shipped(const Settings& settings) {
    return settings.tuning == Tuning::Off && !settings.deterministic && settings.wanted.empty();
}

struct Shared {
    std::shared_mutex mutex;
    Settings settings = settings_of_environment();
    std::atomic<bool> shipped{are_shipped(settings)};
};

Shared& shared() {
    static Shared& instance = *new Shared;  // NOLINT: threads may outlive main
    return instance;
}

}  // namespace

Settings settings_of_environment() {
    Settings settings;
    const std::string_view tuning = environment_choice("BURN_AUTOTUNE", {"off", "kept", "on"});
    if (tuning == "kept") settings.tuning = Tuning::Kept;
    if (tuning == "on") settings.tuning = Tuning::On;
    settings.deterministic = environment_switch("BURN_DETERMINISTIC", false);
    if (const char* wanted = std::getenv("BURN_CANDIDATE")) settings.wanted = wanted;
    return settings;
}

Settings settings() {
    const std::shared_lock lock(shared().mutex);
    return shared().settings;
}

void set_settings(const Settings& settings) {
    const std::lock_guard lock(shared().mutex);
    shared().settings = settings;
    shared().shipped.store(are_shipped(settings), std::memory_order_relaxed);
}

bool choices_are_shipped() { return shared().shipped.load(std::memory_order_relaxed); }

}  // namespace burn::autotune
