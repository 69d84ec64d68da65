#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>

namespace burn::data {

/// Work on the numbers 0 to count - 1 by several threads, whose results come back in order.
///
/// A thread takes the lowest number that nobody works on, and waits when it is too far ahead of the consumer: results lie in
/// `slots` places, number i in place i % slots, so that memory stays bounded.
///
/// Thread    one consumer
class OrderedWorkers {
public:
    class Job {
    public:
        /// Makes result `index` and puts it into place `slot`. Long work returns early once `workers.stopping()`.
        virtual void run(std::size_t index, std::size_t slot, const OrderedWorkers& workers) = 0;

    protected:
        ~Job() = default;
    };

    /// Starts the threads; with none (or where the system gives none) the work is done inside `next`.
    ///
    /// `job` must outlive this object; slots is at least 1.
    OrderedWorkers(Job& job, std::size_t count, std::size_t workers, std::size_t slots);
    OrderedWorkers(const OrderedWorkers&) = delete;
    OrderedWorkers& operator=(const OrderedWorkers&) = delete;
    /// Tells the threads to stop and waits until they have.
    ~OrderedWorkers();

    /// The place of the next result, which is the caller's until the following call; nothing after the last one.
    ///
    /// Errors    what `Job::run` threw for this result; then it was the last one
    std::optional<std::size_t> next();

    /// Whether nobody waits for results any more.
    bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

private:
    struct State;
    void work();
    void stop();

    std::unique_ptr<State> state_;
    std::atomic<bool> stopping_{false};
};

}  // namespace burn::data
