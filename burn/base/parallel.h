// Data-parallel loops over index ranges: the one way in which this project uses several cores.
#pragma once

#include <cstdint>

#include <burn/base/function_ref.h>

namespace burn {

/// Runs body(begin, end) over disjoint ranges that together cover [0, n), on several threads where that pays.
///
/// The ranges are contiguous, of nearly equal length, and depend only on n, grain and num_threads(); which thread runs
/// which range is left to chance. So a body whose outputs do not depend on where the ranges are cut gives the same bits
/// whatever the number of threads.
///
/// n <= 0 calls nothing. The body runs on the calling thread, as body(0, n), when n is below 2 * grain, when the caller
/// is itself inside a body (nested loops do not multiply), or when another thread is using the pool: several callers
/// never wait for each other.
///
/// Units    grain: the smallest number of indices worth the hand-over to another thread, about 20 microseconds of work
/// Errors   an exception of a body reaches the caller after all ranges have ended; the first range's when several throw
/// Thread   any thread may call. After fork() the child has a pool of its own
void parallel_for(int64_t n, int64_t grain, FunctionRef<void(int64_t begin, int64_t end)> body);

/// The number of threads that parallel_for spreads work over, the caller included; at least 1.
///
/// Starts as the value of the environment variable BURN_NUM_THREADS when that is a positive number, otherwise as the
/// number of cores this process may run on. Always 1 in builds without threads.
int num_threads();

/// Changes num_threads(); n < 1 restores the number it started with. Waits for a running loop of another thread to end.
///
/// Thread   any thread, but not from inside a body
void set_num_threads(int n);

}  // namespace burn
