// BURN_PROFILE: a profile of the whole program, without a word in its source.
#include <burn/base/environment.h>
#include <burn/base/error.h>
#include <burn/base/profile_log.h>
#include <burn/base/profile_report.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace burn::profile {

namespace {

bool is_file(std::string_view setting) { return setting.ends_with(".json"); }

/// Where the trace goes, as from where the program started; empty without one.
std::string& trace_file() {
    static std::string path;
    return path;
}

/// A profile must not make a program fail that is all right.
void report() {
    stop();
    try {
        std::fputs(table().c_str(), stderr);
        if (!trace_file().empty()) write_trace(trace_file());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "burn: BURN_PROFILE: %s\n", error.what());
    }
}

}  // namespace

bool start_if_asked() {
    const char* set = std::getenv("BURN_PROFILE");
    const std::string_view asked = set != nullptr ? set : "";
    if (asked.empty() || asked == "0" || asked == "off") return false;
    if (asked != "1" && asked != "on" && !is_file(asked)) {
        std::fprintf(stderr,
                     "burn: BURN_PROFILE is \"%s\"; expected on, off, or the name of a trace that ends in .json\n",
                     std::string(asked).c_str());
        return false;
    }
    if (is_file(asked)) trace_file() = absolute_path(asked);  // which lives until `report` is done
    start(is_file(asked));
    std::atexit(report);
    return true;
}

}  // namespace burn::profile
