#pragma once

#include <burn/kernel/expand_vocabulary.h>

#include <numbers>

namespace burn::kernel {

// Functions of f32 lanes that are computed in f64 lanes, where no case needs care to be exact enough; branch-free. The
// final rounding to f32 makes subnormals, zeros and infinities; all results are within 0.53 ulp.

/// log2 a of a positive normal number of f64, D being the type of f64 lanes.
///
///   a = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
///
/// Numerics  off by 2^-35.8 of the result
template <class D>
D wide_log2(const D& a) {
    static constexpr double kTail[] = {0x1.71547652a1e42p+0,  -0x1.715476565de62p-1, 0x1.ec709ebbcbf1ap-2,
                                       -0x1.71547096eba9ep-2, 0x1.277651e62750ep-2,  -0x1.ec72b5b34167cp-3,
                                       0x1.a63f4a60f70c3p-3,  -0x1.71417434cad8dp-3, 0x1.4528c0bb45904p-3,
                                       -0x1.252ea9c3568e4p-3, 0x1.287362b396af1p-3,  -0x1.248cd3a633ac8p-3,
                                       0x1.3cec90b6955c7p-4};
    // k + 1024 > 0 is taken from the exponent's bits and made a number by the bits of 2^52: few processors convert vectors
    // of 64-bit integers, or shift their signs.
    constexpr std::int64_t kBias = std::int64_t{1024} << 52;
    const auto bits = bits_as<std::int64_t>(a);
    using I = std::remove_const_t<decltype(bits)>;
    const auto raised = bits + I(kBias - 0x3fe6a09e667f3bcd);  // the bits of sqrt(1/2)
    const auto exponent = bitwise_and(raised, I(std::int64_t{0x7ff} << 52));
    const D f = bits_as<double>(bits - exponent + I(kBias)) - 1;
    const auto number = bitwise_or(shift_right(exponent, 52), I(std::int64_t{0x433} << 52));
    const D k = bits_as<double>(number) - (0x1p52 + 1024);
    return fma(f, polynomial(f, kTail), k);
}

/// 2^e for |e| < 1000; NaN gives anything.
///
/// Numerics  off by 2^-32 of the result
template <class D>
D wide_exp2(const D& e) {
    static constexpr double kPowers[] = {1.0,
                                         0x1.62e4300ba344ap-1,
                                         0x1.ebfbe0457f448p-3,
                                         0x1.c6b0551572b90p-5,
                                         0x1.3b2a1bdbf3ccep-7,
                                         0x1.5dc0546cf83eap-10,
                                         0x1.443fb2afef902p-13,
                                         0x1.c04a84eae5f4cp-17};
    const D shifted = e + 0x1.8p52;
    const D r = e - (shifted - 0x1.8p52);
    const auto exponent = shift_left(bits_as<std::int64_t>(shifted), 52);
    return bits_as<double>(bits_as<std::int64_t>(polynomial(r, kPowers)) + exponent);
}

/// a to the power b, by the rules of C.
template <class V>
V expanded_pow(const V& x, const V& y) {
    const V a = abs(x);
    const auto wide = cast_to<double>(a);
    using D = std::remove_const_t<decltype(wide)>;
    const auto log = where(equal(wide, 0), -kInfinity, where(equal(wide, kInfinity), wide, wide_log2(wide)));
    const auto exponent = cast_to<double>(y) * log;
    const auto low = where(lower(exponent, -200), D(-200), exponent);
    const auto power = wide_exp2(where(greater(low, 200), D(200), low));
    // Of |x| = 1 the logarithm is 0, which an infinite y would make NaN.
    const V magnitude = where(equal(a, 1), 1, cast_to<float>(power));

    const V half = y * 0.5;
    const auto is_integer = equal(floor(y), y);  // infinities too, as even ones
    const auto is_odd_integer = bool_and(is_integer, not_equal(floor(half), half));
    const V signed_power = where(is_odd_integer, with_sign(magnitude, x), magnitude);
    const auto has_no_power = bool_and(bool_and(lower(x, 0), greater(x, -kInfinity)), bool_not(is_integer));
    const auto is_undefined = bool_or(has_no_power, bool_or(is_nan(x), is_nan(y)));
    const V result = where(is_undefined, kNan, signed_power);
    return where(bool_or(equal(y, 0), equal(x, 1)), 1, result);
}

/// sqrt(a^2 + b^2); infinite if a or b is, even if the other is NaN.
template <class V>
V expanded_hypot(const V& x, const V& y) {
    const auto a = cast_to<double>(x), b = cast_to<double>(y);
    const V result = cast_to<float>(sqrt(a * a + b * b));
    return where(bool_or(equal(abs(x), kInfinity), equal(abs(y), kInfinity)), kInfinity, result);
}

/// The natural logarithm of a >= 1, rounded to f32; infinity and NaN stay.
template <class V, class D>
V rounded_log(const D& a) {
    const auto log = wide_log2(a) * std::numbers::ln2;
    return cast_to<float>(where(lower(a, kInfinity), log, a));
}

/// Inverse hyperbolic sine.
///
///   ln(|x| + sqrt(x^2 + 1)); x - x^3 / 6 where that would cancel
template <class V>
V expanded_asinh(const V& x) {
    const V a = abs(x);
    const auto wide = cast_to<double>(a);
    const V large = rounded_log<V>(wide + sqrt(wide * wide + 1));
    return with_sign(where(lower(a, 0x1p-12), fma(a * a, a * (-1.0 / 6), a), large), x);
}

/// Inverse hyperbolic cosine; NaN below 1.
template <class V>
V expanded_acosh(const V& x) {
    const auto wide = cast_to<double>(x);
    return where(lower(x, 1), kNan, rounded_log<V>(wide + sqrt(wide * wide - 1)));
}

/// Inverse hyperbolic tangent; NaN outside [-1, 1].
///
///   ln((1 + |x|) / (1 - |x|)) / 2; x + x^3 / 3 where that would cancel
template <class V>
V expanded_atanh(const V& x) {
    const V a = abs(x);
    const auto wide = cast_to<double>(a);
    const V large = 0.5 * rounded_log<V>((1 + wide) / (1 - wide));
    const V magnitude = where(lower(a, 0x1p-12), fma(a * a, a * (1.0 / 3), a), large);
    return with_sign(where(greater(a, 1), kNan, magnitude), x);
}

}  // namespace burn::kernel
