#pragma once

#include <burn/kernel/builder.h>

namespace burn::compiler {

/// One divisor of many f32 numbers: what multiplying by its reciprocal gives is corrected to the very quotient.
///
///   y = q + z (x - q d)   where z = 1 / d and q = x z, each rounded, and the two sums rounded once each
///
/// Numerics  correctly rounded, as x / d is, as long as nothing leaves the normal numbers: tried with all 2^23 divisors on the
///           dividends whose quotients are nearest to the middle between two numbers. It holds for 2^-30 <= |d| <= 2^60 and
///           |y| >= 2^-70; elsewhere the vector is divided.
/// Needs     instructions for a * b + c
/// Source    Markstein, 1990; Brisebarre, Muller and Raina, "Accelerating correctly rounded floating-point division when the
///           divisor is known in advance", 2004
class SharedDivisor {
public:
    /// Prepares to divide by this element.
    explicit SharedDivisor(const kernel::Value& divisor);

    /// x / divisor in every lane.
    kernel::Value divide(const kernel::Value& x) const;

private:
    kernel::Value divisor_, reciprocal_;
    kernel::Value lowest_;  ///< the least quotient that is right; NaN where none is known to be
};

}  // namespace burn::compiler
