#pragma once

#include <burn/base/error.h>

#include <atomic>
#include <memory>
#include <vector>

namespace burn::compiler {

/// Why values are not there: the first error of what they depend on. All of them share it.
///
/// Thread    all members may be called from several threads
class Failure {
public:
    explicit Failure(const Error& error) : error_(error) {}

    const Error& error() const { return error_; }
    /// Whether somebody was told, or could have been and had an earlier one to hear of.
    bool seen() const { return seen_.load(std::memory_order_relaxed); }
    void mark_seen() { seen_.store(true, std::memory_order_relaxed); }
    /// Raises the error, which is seen from then on.
    [[noreturn]] void raise();

private:
    const Error error_;
    std::atomic<bool> seen_{false};
};

/// Null where all is well.
using FailureRef = std::shared_ptr<Failure>;

/// The exception that is being handled, as a failure. Only inside a catch clause.
FailureRef current_failure();

/// Failures in the order in which they happened, for who asks later whether all went well.
///
/// Memory    keeps the first few that nobody has seen
class UnseenFailures {
public:
    void add(const FailureRef& failure);
    void add(const UnseenFailures& later);
    /// The first that is still unseen, or null. All count as seen from then on, and are forgotten.
    FailureRef take_first();

private:
    std::vector<FailureRef> failures_;
};

}  // namespace burn::compiler
