#pragma once

#include <burn/kernel/expand_vocabulary.h>

namespace burn::kernel {

// Sine, cosine and tangent of f32 lanes, for all arguments. Branch-free but for lanes beyond 2^17, which make the kernel
// take a slower reduction.

/// x = n pi / 2 + r with |r| < 0.8, r of type R; the low bits of `quarters` are those of n + shift.
template <class V, class R = V>
struct TrigParts {
    R r;
    V quarters;
};

/// A sum with it has an integer in its low bits.
constexpr double kTrigOffset = 12582912;  // 1.5 * 2^23

/// From where on the reduction needs more of pi than a few numbers hold.
constexpr double kFar = 131072;

/// For |x| < kFar.
///
/// Source    W. Cody, W. Waite: Software Manual for the Elementary Functions, 1980; with fma the parts of pi / 2 may have
///           all their bits: the first difference is exact
template <class V>
TrigParts<V> trig_parts_near(const V& x, int shift) {
    const V quarters = fma(x, 0x1.45f306p-1, kTrigOffset + shift);
    const V n = quarters - (kTrigOffset + shift);
    return {fma(n, -0x1.846988p-48, fma(n, -0x1.4442d0p-24, fma(n, -0x1.921fb4p+0, x))), quarters};
}

/// The same with r in f64.
template <class V>
auto wide_trig_parts_near(const V& x, int shift) {
    const auto wide = cast_to<double>(x);
    const auto n = round(wide * 0x1.45f306dc9c883p-1);
    const auto r = fma(n, -0x1.1a62633145c07p-54, fma(n, -0x1.921fb54442d18p+0, wide));
    return TrigParts<V, std::remove_const_t<decltype(r)>>{r, cast_to<float>(n) + (kTrigOffset + shift)};
}

/// For all finite x, with r in f64.
///
/// With 1 / (2 pi) in parts of 24 bits each product with x is exact, and only its fraction matters: the parts in front give
/// integers for a large x. Eight parts leave 2^-60 or less of what the largest x needs.
///
/// Source    M. Payne, R. Hanek: Radian reduction for trigonometric functions, 1983
template <class V>
auto wide_trig_parts_far(const V& x, int shift) {
    static constexpr double kInverse[] = {0x1.45f306p-3,  0x1.b93910p-28,  0x1.529fc0p-54,  0x1.3abe88p-77,
                                          0x1.ea69bap-99, 0x1.81b6c4p-123, 0x1.2b3278p-147, 0x1.0e4104p-172};
    const auto wide = cast_to<double>(x);
    auto turns = wide * kInverse[0];
    turns = turns - round(turns);
    for (std::size_t i = 1; i < std::size(kInverse); ++i) {
        const auto part = wide * kInverse[i];
        turns = turns + (part - round(part));
        turns = turns - round(turns);
    }
    const auto n = round(turns * 4);
    const auto r = (turns * 4 - n) * 1.57079632679489661923;
    return TrigParts<V, std::remove_const_t<decltype(r)>>{r, cast_to<float>(n) + (kTrigOffset + shift)};
}

/// Whether the number of quarters is odd.
template <class V>
auto is_odd(const V& quarters) {
    const auto bits = bits_as<std::int32_t>(quarters);
    using I = std::remove_const_t<decltype(bits)>;
    return not_equal(bitwise_and(bits, I(1)), 0);
}

/// The sine of n quarters and r.
///
/// Numerics  polynomials are off by 2^-27.7 (sine) and 2^-32 (cosine) of the result
template <class V>
V sin_of_parts(const TrigParts<V>& parts) {
    static constexpr double kSin[] = {-0x1.555544p-3, 0x1.1106aep-7, -0x1.990f92p-13};
    static constexpr double kCos[] = {-0.5, 0x1.555548p-5, -0x1.6c0af4p-10, 0x1.99911cp-16};
    const V& r = parts.r;
    const V z = r * r;
    const V sin = fma(r * z, polynomial(z, kSin), r);
    const V cos = fma(z, polynomial(z, kCos), 1);
    const auto bits = bits_as<std::int32_t>(parts.quarters);
    using I = std::remove_const_t<decltype(bits)>;
    const auto sign = shift_left(bitwise_and(bits, I(2)), 30);
    return bits_as<float>(bitwise_xor(bits_as<std::int32_t>(where(is_odd(parts.quarters), cos, sin)), sign));
}

/// The sine of x and `shift` quarters.
template <class V>
V shifted_sin(const V& x, int shift) {
    const auto far = [&] {
        const auto parts = wide_trig_parts_far(x, shift);
        return sin_of_parts(TrigParts<V>{cast_to<float>(parts.r), parts.quarters});
    };
    return where_rare(greater_equal(abs(x), kFar), far, sin_of_parts(trig_parts_near(x, shift)));
}

/// Sine.
///
/// Numerics  within 1.55 ulp
template <class V>
V expanded_sin(const V& x) {
    return where(equal(x, 0), x, shifted_sin(x, 0));  // keeps the sign of 0
}

/// Cosine.
///
/// Numerics  within 1.56 ulp
template <class V>
V expanded_cos(const V& x) {
    return shifted_sin(x, 1);
}

/// The tangent of n quarters and r.
///
/// Numerics  the polynomial is off by 2^-29 of the result
template <class V, class R>
V tan_of_parts(const TrigParts<V, R>& parts) {
    static constexpr double kTan[] = {0x1.555564p-2, 0x1.110c88p-3,   0x1.bb0b9cp-5, 0x1.5ab798p-6,
                                      0x1.6d77a0p-7, -0x1.4e34ecp-12, 0x1.2c2972p-8};
    const V r = cast_to<float>(parts.r);
    const V z = r * r;
    // tan(r + low) = tan r + low (1 + tan(r)^2), the latter about
    const V low = cast_to<float>(parts.r - cast_to<double>(r)) * fma(z, 1.5, 1);
    const V tan = r + fma(r * z, polynomial(z, kTan), low);
    return where(is_odd(parts.quarters), -1 / tan, tan);
}

/// Tangent.
///
/// Numerics  within 1.69 ulp
template <class V>
V expanded_tan(const V& x) {
    const V result = where_rare(
        greater_equal(abs(x), kFar), [&] { return tan_of_parts(wide_trig_parts_far(x, 0)); },
        tan_of_parts(wide_trig_parts_near(x, 0)));
    return where(equal(x, 0), x, result);  // keeps the sign of 0
}

}  // namespace burn::kernel
