#include <burn/base/error.h>
#include <burn/data/ordered_workers.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace burn::data {

namespace {

/// One place for a result.
struct Slot {
    bool filled = false;
    std::exception_ptr error;
};

}  // namespace

struct OrderedWorkers::State {
    State(Job& its_job, std::size_t its_count, std::size_t its_slots)
        : job(its_job), count(its_count), slots(its_slots) {}

    Job& job;
    const std::size_t count;

    std::mutex mutex;
    std::condition_variable room;    // a place became free, or the end is near
    std::condition_variable filled;  // a result is there
    std::vector<Slot> slots;
    std::size_t claimed = 0;   // results that some thread works on or has finished
    std::size_t consumed = 0;  // results that the consumer has been given
    std::size_t released = 0;  // results whose places are free again
    std::vector<std::thread> threads;
};

OrderedWorkers::OrderedWorkers(Job& job, std::size_t count, std::size_t workers, std::size_t slots)
    : state_(std::make_unique<State>(job, count, slots)) {
    require_internal(slots > 0, "ordered workers without a place for results");
    try {
        for (std::size_t i = 0; i < std::min(workers, count); ++i) state_->threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // The system is out of threads: those that run, or the consumer's own, do the work.
    }
}

OrderedWorkers::~OrderedWorkers() { stop(); }

void OrderedWorkers::stop() {
    {
        const std::lock_guard lock(state_->mutex);
        stopping_ = true;
    }
    state_->room.notify_all();
    for (std::thread& thread : state_->threads) thread.join();
    state_->threads.clear();
}

void OrderedWorkers::work() {
    State& s = *state_;
    std::unique_lock lock(s.mutex);
    while (true) {
        s.room.wait(lock,
                    [&] { return stopping() || s.claimed == s.count || s.claimed < s.released + s.slots.size(); });
        if (stopping() || s.claimed == s.count) return;
        const std::size_t index = s.claimed++;
        const std::size_t place = index % s.slots.size();
        lock.unlock();
        std::exception_ptr error;
        try {
            s.job.run(index, place, *this);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        s.slots[place] = {.filled = true, .error = std::move(error)};
        s.filled.notify_one();
    }
}

std::optional<std::size_t> OrderedWorkers::next() {
    State& s = *state_;
    if (stopping() || s.consumed == s.count) return std::nullopt;
    const std::size_t index = s.consumed++;
    const std::size_t place = index % s.slots.size();
    if (s.threads.empty()) {
        try {
            s.job.run(index, place, *this);
        } catch (...) {
            stop();
            throw;
        }
        return place;
    }
    std::exception_ptr error;
    {
        std::unique_lock lock(s.mutex);
        s.released = index;
        s.room.notify_all();
        s.filled.wait(lock, [&] { return s.slots[place].filled; });
        s.slots[place].filled = false;
        error = std::move(s.slots[place].error);
    }
    if (error) {
        stop();
        std::rethrow_exception(error);
    }
    return place;
}

}  // namespace burn::data
