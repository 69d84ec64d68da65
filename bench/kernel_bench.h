// Shared by the kernel benchmarks: timing, the processor's peak, and printing.
#pragma once

#include <burn/base/parallel.h>

#include <time.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace burn::bench {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Makes `busy` the wall clock.
inline bool wall_only = false;

/// Seconds that this thread has been running, which others on the same core do not count towards; wall time where
/// several threads work.
inline double busy() {
#if defined(__unix__)
    if (num_threads() == 1 && !wall_only) {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
#endif
    return now();
}

/// Seconds of the fastest of many calls, which is what a shared machine leaves undisturbed. Takes about `budget` seconds.
template <class Body>
double fastest(Body body, double budget = 0.15) {
    body();
    double best = 1e9;
    const double end = now() + budget;
    int calls = 0;
    do {
        const double start = busy();
        body();
        const double seconds = busy() - start;
        if (seconds < best) best = seconds;
    } while (++calls < 5 || now() < end);
    return best;
}

/// Numbers in [-1, 1), the same on every run.
inline std::vector<float> reals(int64_t count, std::uint32_t seed) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) {
        seed = seed * 1664525u + 1013904223u;
        value = static_cast<float>(seed) / 4294967296.0f * 2 - 1;
    }
    return values;
}

/// Ends the program when a checked result is wrong: a fast wrong kernel is not worth a number.
inline void require_close(double actual, double expected, double magnitude, const char* name) {
    const double error = actual > expected ? actual - expected : expected - actual;
    if (error <= 1e-5 * magnitude) return;
    std::fprintf(stderr, "%s: got %.9g, expected %.9g\n", name, actual, expected);
    std::exit(1);
}

/// The f32 FMA rate of one thread in GFLOP/s, from a loop that lives in registers: what no kernel can beat.
double peak_gflops();

}  // namespace burn::bench
