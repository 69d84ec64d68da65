#pragma once

#include <burn/base/config.h>

#if BURN_HOSTED
#include <atomic>
#endif

namespace burn {

#if BURN_HOSTED
/// A counter or pointer that several threads may change.
template <class T>
using Atomic = std::atomic<T>;

constexpr std::memory_order kRelaxed = std::memory_order_relaxed;
constexpr std::memory_order kAcquire = std::memory_order_acquire;
constexpr std::memory_order kAcquireRelease = std::memory_order_acq_rel;
#else

enum MemoryOrder { kRelaxed, kAcquire, kAcquireRelease };

/// The same on bare metal, where there is one thread: a plain value. (`std::atomic` cannot be used there: its header
/// brings in threads, and 64-bit counters would need a library that a Cortex-M does not have.)
template <class T>
class Atomic {
public:
    constexpr Atomic(T value = T()) : value_(value) {}  // NOLINT: stands for its value
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

    T load(MemoryOrder = kAcquire) const { return value_; }
    void store(T value, MemoryOrder = kAcquireRelease) { value_ = value; }
    T fetch_add(T change, MemoryOrder = kAcquireRelease) {
        const T before = value_;
        value_ = before + change;
        return before;
    }
    T fetch_sub(T change, MemoryOrder = kAcquireRelease) {
        const T before = value_;
        value_ = before - change;
        return before;
    }
    bool compare_exchange_weak(T& expected, T desired, MemoryOrder = kAcquireRelease) {
        if (value_ == expected) {
            value_ = desired;
            return true;
        }
        expected = value_;
        return false;
    }

private:
    T value_;
};
#endif

}  // namespace burn
