// Timing of a call, and the rates of the machine that its time is set beside.
#pragma once

#include <burn/base/function_ref.h>

namespace burn::bench {

struct Timing {
    double median_us = 0;
    double best_us = 0;
    int calls = 0;
};

/// Times a call as torch_cases.py does: five calls to warm up, one to learn how many fit in `seconds` (5 to 2000), then these.
Timing time_calls(FunctionRef<void()> call, double seconds);

/// What all threads together can do at most, as loops that do nothing else measure it; per second.
struct Rates {
    double copied_bytes = 0;     ///< bytes read and written by copies of 16 MiB
    double operations = 0;       ///< f32 additions and multiplications, from fused multiply-adds that live in registers
    double transcendentals = 0;  ///< f32 exponentials, likewise
};

/// Measures the rates with `num_threads()` threads: the best of what fits in three times `seconds`.
Rates measure_rates(double seconds = 0.15);

/// The better of both: what else runs on the machine only makes rates lower.
Rates better_of(const Rates& a, const Rates& b);

}  // namespace burn::bench
