// Loops that live in registers: what no kernel of this processor can beat.
#pragma once

namespace burn::bench {

struct RegisterLoop {
    float (*run)();     ///< the result only keeps the compiler from dropping the loop
    double operations;  ///< of one run
};

/// f32 multiply-adds, each counted as two operations.
RegisterLoop multiply_add_loop();
/// f32 exponentials: range reduction, a polynomial, scaling; with a table in a register where that is faster.
RegisterLoop exponential_loop();

}  // namespace burn::bench
