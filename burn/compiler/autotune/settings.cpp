#include <burn/compiler/autotune/settings.h>

#include <cstdlib>
#include <mutex>
#include <shared_mutex>

namespace burn::autotune {

namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

struct Shared {
    std::shared_mutex mutex;
    Settings settings =
        parse_settings(environment("BURN_AUTOTUNE"), environment("BURN_DETERMINISTIC"), environment("BURN_CANDIDATE"));
};

Shared& shared() {
    static Shared& instance = *new Shared;  // NOLINT: threads may outlive main
    return instance;
}

}  // namespace

Settings parse_settings(std::string_view autotune, std::string_view deterministic, std::string_view candidate) {
    Settings settings;
    if (autotune == "kept") settings.tuning = Tuning::Kept;
    if (autotune == "on") settings.tuning = Tuning::On;
    settings.deterministic = deterministic == "1";
    settings.wanted = candidate;
    return settings;
}

Settings settings() {
    const std::shared_lock lock(shared().mutex);
    return shared().settings;
}

void set_settings(const Settings& settings) {
    const std::lock_guard lock(shared().mutex);
    shared().settings = settings;
}

}  // namespace burn::autotune
