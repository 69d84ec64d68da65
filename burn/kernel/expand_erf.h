#pragma once

#include <burn/kernel/expand_exp.h>

#include <numbers>

namespace burn::kernel {

/// Error function of f32 lanes, branch-free.
///
///   erf x = x + x P(x^2) for |x| < 1;  1 - e^Q(|x|) beyond, where Q approximates ln(1 - erf x)
///
/// Numerics  within 1.08 ulp; the polynomials are off by 2^-29
template <class V>
V expanded_erf(const V& x) {
    static constexpr double kNearZero[] = {0x1.06eba8p-3, -0x1.81273ep-2,  0x1.ce2ce6p-4, -0x1.b7f71ap-6,
                                           0x1.53f224p-8, -0x1.a3515ep-11, 0x1.4771fep-14};
    static constexpr double kLog[] = {-0x1.63f424p-12, -0x1.208972p+0, -0x1.46b93cp-1, -0x1.a65e76p-4,
                                      0x1.65dfcep-6,   -0x1.82810cp-9, 0x1.87165cp-13};
    const V a = abs(x), z = x * x;
    const V limit = where(greater(a, 3.93), 3.93, a);  // 1 - erf 3.93 is below half an ulp of 1
    const ExpParts<V> parts = exp_parts(polynomial(limit, kLog));
    const V scale = parts.scale * parts.scale2;
    const V large = 1 - fma(expm1_near_zero(parts.r), scale, scale);
    return with_sign(where(lower(a, 1), fma(a, polynomial(z, kNearZero), a), large), x);
}

/// Standard normal distribution function.
///
///   (1 + erf(x / sqrt 2)) / 2
///
/// Numerics  off by at most 1.16 * 2^-24
template <class V>
V expanded_normal_cdf(const V& x) {
    return 0.5 * (1 + expanded_erf(x * (std::numbers::sqrt2 / 2)));
}

}  // namespace burn::kernel
