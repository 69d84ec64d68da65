#pragma once

#include <bit>
#include <cstdint>

namespace burn::ndarray {

/// e^x without branches, so that loops over it become vector code.
///
///   e^x = 2^n e^r,  n = round(x / ln 2),  |r| <= ln(2) / 2; e^r by its Taylor polynomial of degree 7
///
/// Numerics  within 2 ulp; underflows through the subnormals to 0, overflows to infinity; NaN stays NaN
inline float exp_lane(float x) {
    constexpr float kLowest = -104.0f;  // e^x rounds to 0 below, and
    constexpr float kHighest = 89.0f;   // to infinity above
    const float clamped = x < kLowest ? kLowest : (x > kHighest ? kHighest : x);
    constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: the sum's low bits are an integer
    const float shifted = clamped * 1.44269504f + kRound;
    const float n = shifted - kRound;
    const float r = (clamped - n * 0.693145752f) - n * 1.42860677e-6f;  // ln 2 in two parts: n times the first is exact
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r * r + r + 1.0f;
    // 2^n may be subnormal or too large for one factor.
    const std::int32_t whole = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
    const std::int32_t half = whole >> 1;
    const float first = std::bit_cast<float>((half + 127) << 23);
    const float second = std::bit_cast<float>((whole - half + 127) << 23);
    return p * first * second;
}

inline double exp_lane(double x) {
    return __builtin_exp(x);
}

}  // namespace burn::ndarray
