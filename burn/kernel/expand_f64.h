#pragma once

#include <burn/kernel/expand_log.h>

namespace burn::kernel {

// Functions of f64 lanes, branch-free; V is the type of f64 lanes.

/// e^x, as for f32 (burn/kernel/expand_exp.h).
///
/// Numerics  within 1 ulp of f64; the polynomial is off by 2^-57.7 of the result
template <class V>
V expanded_exp_f64(const V& x) {
    static constexpr double kTail[] = {0x1.000000000000ap-1,  0x1.5555555555503p-3,  0x1.555555555060bp-5,
                                       0x1.1111111124d5dp-7,  0x1.6c16c184b2507p-10, 0x1.a01a013d205c8p-13,
                                       0x1.a019989cee746p-16, 0x1.71def52681375p-19, 0x1.28aebf3ed5b73p-22,
                                       0x1.add3d6e99d962p-26};
    const V a = limited(x, -746, 710);  // e^-746 rounds to 0, e^710 to infinity
    constexpr double kOffset = 0x1.8p52 + 2046;
    const V shifted = fma(a, 1.44269504088896340736, kOffset);
    const V n = shifted - kOffset;
    const V r = fma(n, -0x1.a39ef35793c76p-33, fma(n, -0x1.62e42fee00000p-1, a));  // ln 2, the first part of 32 bits
    const auto exponents = bits_as<std::uint64_t>(shifted);
    const auto half = shift_right(exponents, 1);
    const V scale = bits_as<double>(shift_left(half, 52));
    const V minus_one = fma(r * r, polynomial(r, kTail), r);
    return fma(minus_one, scale, scale) * bits_as<double>(shift_left(exponents - half, 52));
}

/// Natural logarithm.
///
///   ln(2^k (1 + f)) = k ln 2 + f - (f^2 / 2 - s (f^2 / 2 + R(s^2))),  s = f / (2 + f)
///
/// Numerics  within 1 ulp of f64; the polynomial is off by 2^-59.5 of the result
/// Source    the series 2 atanh s = ln(1 + f), with 2 s written as f - s f
template <class V>
V expanded_log_f64(const V& x) {
    static constexpr double kTail[] = {0x1.5555555555592p-1, 0x1.999999997ff3ap-2, 0x1.24924941df064p-2,
                                       0x1.c71c52162780dp-3, 0x1.74663c999606fp-3, 0x1.39a1ef6c44ffbp-3,
                                       0x1.2f038c4751f90p-3};
    // A subnormal number is brought up by 2^54, which the exponent pays back.
    const auto is_small = lower(x, 0x1p-1022);
    const auto bits = bits_as<std::int64_t>(where(is_small, x * 0x1p54, x));
    using I = std::remove_const_t<decltype(bits)>;
    constexpr std::int64_t kOne = std::int64_t{1023} << 52;
    // k + 1023 > 0 is taken from the exponent's bits and made a number by the bits of 2^52.
    const auto raised = bits + I(kOne - 0x3fe6a09e667f3bcd);  // the bits of sqrt(1/2)
    const auto exponent = bitwise_and(raised, I(std::int64_t{0x7ff} << 52));
    const V f = bits_as<double>(bits - exponent + I(kOne)) - 1;
    const auto number = bitwise_or(shift_right(exponent, 52), I(std::int64_t{0x433} << 52));
    const V k = bits_as<double>(number) - where(is_small, number_like(x, 0x1p52 + 1023 + 54), 0x1p52 + 1023);

    const V s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    const V tail = fma(s, fma(z, polynomial(z, kTail), half), k * 0x1.a39ef35793c76p-33);
    return with_log_edges(x, fma(k, 0x1.62e42fee00000p-1, f - (half - tail)));
}

}  // namespace burn::kernel
