#pragma once

#include <burn/kernel/expand_vocabulary.h>

namespace burn::kernel {

// Logarithms of f32 lanes, branch-free.

/// k ln 2 + log(1 + f) for sqrt(1/2) <= 1 + f < sqrt(2) and an integer |k| < 256.
///
/// Numerics  the polynomial is off by 2^-28 of the result
template <class V>
V log_of_parts(const V& k, const V& f) {
    static constexpr double kTail[] = {-0.5,          0x1.555548p-2,  -0x1.000006p-2, 0x1.99a466p-3,  -0x1.555c64p-3,
                                       0x1.233e10p-3, -0x1.fc40f4p-4, 0x1.e6c468p-4,  -0x1.dd1584p-4, 0x1.12fcfcp-4};
    // ln 2 in two parts, the first of 15 bits: its product with k is exact.
    const V tail = fma(k, 1.42860677e-6, f * f * polynomial(f, kTail));
    return fma(k, 0.693145751953125, f + tail);
}

/// What a logarithm is where its argument `a` is not a positive finite number; else `usual`.
template <class V>
V with_log_edges(const V& a, const V& usual) {
    const V zero_or_less = where(equal(a, 0), number_like(a, -kInfinity), kNan);
    return where(greater(a, 0), where(lower(a, kInfinity), usual, a), zero_or_less);
}

/// Natural logarithm.
///
/// Numerics  within 0.89 ulp
template <class V>
V expanded_log(const V& x) {
    // A subnormal number is brought up by 2^23, which the exponent pays back.
    const auto is_small = lower(x, 0x1p-126);
    const V normal = where(is_small, x * 0x1p23, x);
    const auto bits = bits_as<std::int32_t>(normal);
    const auto k = shift_right(bits - 0x3f3504f3, 23);  // the bits of sqrt(1/2)
    const V f = bits_as<float>(bits - shift_left(k, 23)) - 1;
    const V exponent = cast_to<float>(k);
    return with_log_edges(x, log_of_parts(where(is_small, exponent - 23, exponent), f));
}

/// ln(1 + x).
///
/// Numerics  within 1.51 ulp
template <class V>
V expanded_log1p(const V& x) {
    // 1 + x = 2^k (1 + f), where f is computed from x itself, not from the rounded sum; 4 / 2^k is always normal.
    const V u = x + 1;
    const auto k = shift_right(bits_as<std::int32_t>(u) - 0x3f3504f3, 23);
    const V scale = bits_as<float>(0x40800000 - shift_left(k, 23));
    const V f = fma(x * 0.25, scale, fma(scale, 0.25, -1));
    const V result = with_log_edges(u, log_of_parts(cast_to<float>(k), f));
    return where(lower(abs(x), 0x1p-25), x, result);  // keeps subnormals and the sign of 0
}

}  // namespace burn::kernel
