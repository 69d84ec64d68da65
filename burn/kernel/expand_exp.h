#pragma once

#include <burn/kernel/expand_vocabulary.h>

namespace burn::kernel {

// Exponential functions of f32 lanes, branch-free.

/// x = n ln 2 + r with |r| <= ln(2) / 2, and 2^(n + shift) as two factors, for neither need be a normal number.
template <class V>
struct ExpParts {
    V r;
    V scale;   ///< 2^floor((n + shift) / 2)
    V scale2;  ///< 2^ceil((n + shift) / 2)
};

/// For |x| < 170.
template <class V>
ExpParts<V> exp_parts(const V& x, int shift = 0) {
    // In a sum with 1.5 * 2^23 the low bits are an integer: here n + shift + 254, whose halves are the biased exponents.
    const double offset = 12582912 + 254 + shift;
    const V shifted = fma(x, 1.44269504088896340736, offset);
    const V n = shifted - offset;
    // ln 2 in two parts, the first of 15 bits: its product with n is exact.
    const V r = fma(n, -1.42860677e-6, fma(n, -0.693145751953125, x));
    const auto exponents = bits_as<std::int32_t>(shifted);
    const auto half = shift_right(exponents, 1);
    return {r, bits_as<float>(shift_left(half, 23)), bits_as<float>(shift_left(exponents - half, 23))};
}

/// e^r - 1 for |r| <= ln(2) / 2.
///
/// Numerics  the polynomial is off by 2^-26 of the result
template <class V>
V expm1_near_zero(const V& r) {
    static constexpr double kTail[] = {0x1.fffffep-2, 0x1.5554aap-3, 0x1.55579ep-5, 0x1.122c88p-7, 0x1.6ab130p-10};
    return fma(r * r, polynomial(r, kTail), r);
}

/// e^x.
///
/// Numerics  within 1.04 ulp; underflows through the subnormals to 0
template <class V>
V expanded_exp(const V& x) {
    const ExpParts<V> parts = exp_parts(limited(x, -104, 89));  // e^-104 rounds to 0, e^89 to infinity
    return fma(expm1_near_zero(parts.r), parts.scale, parts.scale) * parts.scale2;
}

/// e^x - 1.
///
/// Numerics  within 1.56 ulp
template <class V>
V expanded_expm1(const V& x) {
    const ExpParts<V> parts = exp_parts(limited(x, -18, 89));                         // e^-18 - 1 rounds to -1
    const V ones = bits_as<float>(0x7f000000 - bits_as<std::int32_t>(parts.scale2));  // 1 / scale2
    const V result = fma(expm1_near_zero(parts.r), parts.scale, parts.scale - ones) * parts.scale2;
    return where(equal(x, 0), x, result);  // keeps the sign of 0
}

/// e^|x| / 2, overflowing where half of e^|x| does.
template <class V>
V half_exp_of_abs(const V& x) {
    const V a = abs(x);
    const ExpParts<V> parts = exp_parts(where(greater(a, 90), 90, a), -1);
    return fma(expm1_near_zero(parts.r), parts.scale, parts.scale) * parts.scale2;
}

/// Hyperbolic cosine.
///
/// Numerics  within 1.51 ulp
template <class V>
V expanded_cosh(const V& x) {
    const V half = half_exp_of_abs(x);
    return half + 0.25 / half;
}

/// Hyperbolic sine.
///
///   e^|x| / 2 - 1 / (2 e^|x|) for |x| >= 1, a polynomial below
///
/// Numerics  within 1.62 ulp
template <class V>
V expanded_sinh(const V& x) {
    static constexpr double kNearZero[] = {0x1.555556p-3, 0x1.1110e0p-7, 0x1.a022bcp-13, 0x1.756c1ep-19};
    const V half = half_exp_of_abs(x), a = abs(x), z = x * x;
    return with_sign(where(lower(a, 1), fma(a * z, polynomial(z, kNearZero), a), half - 0.25 / half), x);
}

/// Hyperbolic tangent.
///
///   1 - 2 / (e^(2 |x|) + 1) for |x| >= 0.625, a polynomial below
///
/// Numerics  within 1.34 ulp
template <class V>
V expanded_tanh(const V& x) {
    static constexpr double kNearZero[] = {-0x1.555532p-2, 0x1.1106f6p-3, -0x1.b835a4p-5, 0x1.51f8cep-6,
                                           -0x1.750ce2p-8};
    const V a = abs(x), z = x * x;
    const ExpParts<V> parts = exp_parts(where(greater(a, 10), 10, a) * 2);
    const V scale = parts.scale * parts.scale2;
    const V exp = fma(expm1_near_zero(parts.r), scale, scale);
    return with_sign(where(lower(a, 0.625), fma(a * z, polynomial(z, kNearZero), a), 1 - 2 / (exp + 1)), x);
}

}  // namespace burn::kernel
