// Loops whose threads take one piece of work after the other.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/partition.h>
#include <burn/base/atomic.h>
#include <burn/base/function_ref.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// Runs body(i) for every i in [0, n), each thread taking the next i when it is done with its last. A thread that others hold up does
/// less, where `parallel_for` would wait for it: on a shared machine 1 to 10 % of a large product.
///
/// Units    grain: as in parallel_for
/// Errors   as parallel_for
/// Thread   as parallel_for; which thread runs which i is left to chance
inline void parallel_turns(int64_t n, int64_t grain, FunctionRef<void(int64_t i)> body) {
    Atomic<int64_t> next{0};
    const int64_t threads = max_of(1, min_of(num_threads(), n / max_of(1, grain)));
    parallel_for(threads, 1, [&](int64_t first, int64_t last) {
        for (int64_t thread = first; thread < last; ++thread) {
            for (int64_t i = next.fetch_add(1, kRelaxed); i < n; i = next.fetch_add(1, kRelaxed)) body(i);
        }
    });
}

}  // namespace burn::ndarray
