// Timing of a call, and the rates of the machine that its time is set beside.
#pragma once

#include <burn/base/function_ref.h>

#include <cstddef>
#include <map>

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
    double copied_bytes = 0;     ///< bytes read and written by copies
    double operations = 0;       ///< f32 additions and multiplications, from fused multiply-adds that live in registers
    double transcendentals = 0;  ///< f32 exponentials, likewise
};

/// The best rates seen so far; what else runs on the machine only makes them lower.
class Ceilings {
public:
    /// Measures with `num_threads()` threads for three times `seconds` and gives the best so far.
    ///
    /// Copies are of 16 MiB, or of half of `moved_bytes` where that is more (at most 256 MiB): work whose data no cache holds
    /// is set beside copies that no cache holds.
    Rates measure(double moved_bytes, double seconds);

private:
    Rates best_;
    std::map<std::size_t, double> copied_bytes_;  ///< by the size of the copy
};

}  // namespace burn::bench
