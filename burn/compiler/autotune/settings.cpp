#include <burn/compiler/autotune/settings.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>

namespace burn::autotune {

namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool are_shipped(const Settings& settings) {
    return settings.tuning == Tuning::Off && !settings.deterministic && settings.wanted.empty();
}

struct Shared {
    std::shared_mutex mutex;
    Settings settings =
        parse_settings(environment("BURN_AUTOTUNE"), environment("BURN_DETERMINISTIC"), environment("BURN_CANDIDATE"));
    std::atomic<bool> shipped{are_shipped(settings)};
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
    shared().shipped.store(are_shipped(settings), std::memory_order_relaxed);
}

bool choices_are_shipped() { return shared().shipped.load(std::memory_order_relaxed); }

}  // namespace burn::autotune
