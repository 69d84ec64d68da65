// What was measured, by thread; for the sources of the profile alone.
#pragma once

#include <burn/base/profile.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace burn::profile {

/// The sums of all spans of one name.
struct Sums {
    std::uint64_t calls = 0;
    std::int64_t nanoseconds = 0;
    std::int64_t own_nanoseconds = 0;  ///< without what lay inside
    Cost cost;
};

/// One span, for the trace.
struct Event {
    std::uint32_t name = 0;
    std::int64_t begin = 0;
    std::int64_t nanoseconds = 0;
    Cost cost;
};

/// What one thread measured. A thread that ends leaves its log to the next that begins.
struct Log {
    std::mutex mutex;  ///< of all that follows but `current`
    std::uint32_t thread = 0;
    std::map<std::pair<Kind, std::string>, std::uint32_t> numbers;  ///< of names
    std::vector<std::pair<Kind, std::string>> names;
    std::vector<Sums> sums;  ///< by name
    std::vector<Event> events;
    Span* current = nullptr;  ///< the innermost span that runs; its thread's alone
};

/// All threads' logs; never destroyed.
struct Logs {
    std::mutex mutex;
    std::vector<Log*> all;
    std::vector<Log*> idle;
    std::atomic<std::int64_t> begin{0};  ///< when measuring began; what began before is not counted
    std::atomic<bool> traces{false};     ///< whether events are kept
    std::atomic<std::int64_t> room{0};   ///< for how many more events
    std::atomic<std::uint64_t> left_out{0};
};

Logs& logs();

/// Nanoseconds of a clock that never goes back.
std::int64_t now();

/// Starts measuring if the environment asks for it.
bool start_if_asked();

/// Calls `visit` with each log, locked.
template <class Visit>
void for_each_log(Visit visit) {
    const std::lock_guard lock(logs().mutex);
    for (Log* log : logs().all) {
        const std::lock_guard own(log->mutex);
        visit(*log);
    }
}

}  // namespace burn::profile
