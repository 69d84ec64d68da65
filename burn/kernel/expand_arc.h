#pragma once

#include <burn/kernel/expand_vocabulary.h>

#include <numbers>

namespace burn::kernel {

// Inverse trigonometric functions of f32 lanes, branch-free.

/// An angle in two parts: a number of f32, and what is left of it.
constexpr double kPi = 0x1.921fb6p+1, kPiLow = std::numbers::pi - kPi;
constexpr double kHalfPi = kPi / 2, kHalfPiLow = kPiLow / 2;

/// (atan t - t) / t for 0 <= t <= 1.
///
/// Numerics  the polynomial is off by 2^-28.5 of atan t
template <class V>
V atan_tail(const V& t) {
    static constexpr double kTail[] = {-0x1.55553ep-2, 0x1.9991e4p-3,  -0x1.242086p-3, 0x1.c08c48p-4,  -0x1.5808e4p-4,
                                       0x1.da2886p-5,  -0x1.fd7900p-6, 0x1.641cbap-7,  -0x1.d3461cp-10};
    const V z = t * t;
    return z * polynomial(z, kTail);
}

/// Inverse tangent.
///
///   atan x = pi / 2 - atan(1 / x) for x > 1
///
/// Numerics  within 1.21 ulp
template <class V>
V expanded_atan(const V& x) {
    const V a = abs(x);
    const auto is_large = greater(a, 1);
    const V t = where(is_large, -1 / a, a);
    const V low = fma(t, atan_tail(t), where(is_large, number_like(x, kHalfPiLow), 0));
    return with_sign(where(is_large, kHalfPi + (t + low), t + low), x);
}

/// The angle of the point (x, y) by the rules of C.
///
/// Numerics  within 1.51 ulp in what was tried
template <class V>
V expanded_atan2(const V& y, const V& x) {
    const V a = abs(x), b = abs(y);
    // The angle from the nearer axis, whose tangent is t <= 1; 0 / 0 is 0 and infinity / infinity is 1.
    const auto is_steep = greater(b, a);
    const V shorter = where(is_steep, a, b), longer = where(is_steep, b, a);
    const V quotient = where(equal(a, b), where(equal(a, 0), a, 1), shorter / longer);
    const auto bits = bits_as<std::int32_t>(x);
    const auto is_left = lower(bits, 0);
    // The y axis counts backwards on the right, the x axis on the left.
    const V t = where(bool_xor(is_steep, is_left), -quotient, quotient);
    const V axis = where(is_steep, kHalfPi, where(is_left, number_like(x, kPi), 0));
    const V axis_low = where(is_steep, kHalfPiLow, where(is_left, number_like(x, kPiLow), 0));
    return with_sign(axis + (t + fma(t, atan_tail(t), axis_low)), y);
}

/// s for asin x = s + s * tail: x itself, or sqrt((1 - |x|) / 2), half of whose arc is what x lacks of pi / 2.
template <class V>
struct ArcParts {
    decltype(greater(std::declval<V>(), 1)) is_large;
    V s;     ///< >= 0
    V tail;  ///< s * tail is the rest of the series
};

/// Numerics  the polynomial is off by 2^-29
template <class V>
ArcParts<V> arc_parts(const V& x) {
    static constexpr double kTail[] = {0x1.555526p-3, 0x1.334932p-4, 0x1.6a59a4p-5,
                                       0x1.169db4p-5, 0x1.b9e280p-8, 0x1.84fcd0p-5};
    const V a = abs(x);
    const auto is_large = greater(a, 0.5625);
    const V z = where(is_large, (1 - a) * 0.5, a * a);
    const V s = where(is_large, sqrt(z), a);
    return {is_large, s, z * polynomial(z, kTail)};
}

/// Inverse sine; NaN outside [-1, 1].
///
/// Numerics  within 1.11 ulp
template <class V>
V expanded_asin(const V& x) {
    const ArcParts<V> parts = arc_parts(x);
    const V &s = parts.s, &tail = parts.tail;
    const V large = fma(s + fma(s, tail, -kHalfPiLow / 2), -2, kHalfPi);
    return with_sign(where(parts.is_large, large, fma(s, tail, s)), x);
}

/// Inverse cosine; NaN outside [-1, 1].
///
/// Numerics  within 1.08 ulp
template <class V>
V expanded_acos(const V& x) {
    const ArcParts<V> parts = arc_parts(x);
    const V s = where(parts.is_large, parts.s, x), &tail = parts.tail;
    const V near_zero = kHalfPi - (s + fma(s, tail, -kHalfPiLow));
    const V near_one = 2 * fma(s, tail, s);
    const V near_minus_one = fma(s + fma(s, tail, -kPiLow / 2), -2, kPi);
    return where(parts.is_large, where(lower(x, 0), near_minus_one, near_one), near_zero);
}

}  // namespace burn::kernel
