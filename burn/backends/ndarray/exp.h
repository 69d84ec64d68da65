#pragma once

#include <cstddef>
#include <cstdint>

namespace burn::ndarray {

/// Four numbers at once; the compiler turns them into whatever vectors the processor has, or into four scalars.
typedef float FloatLanes __attribute__((vector_size(16)));
typedef std::int32_t IntLanes __attribute__((vector_size(16)));

/// e^x of each lane.
///
///   e^x = 2^n e^r,  n = round(x / ln 2),  |r| <= ln(2) / 2; e^r by its Taylor polynomial of degree 7
///
/// Numerics  within 2 ulp; underflows through the subnormals to 0, overflows to infinity; NaN stays NaN
inline FloatLanes exp_lanes(FloatLanes x) {
    const FloatLanes lowest = FloatLanes{} - 104.0f;  // e^x rounds to 0 below, and
    const FloatLanes highest = FloatLanes{} + 89.0f;  // to infinity above
    x = x < lowest ? lowest : x;
    x = x > highest ? highest : x;
    const FloatLanes magic = FloatLanes{} + 12582912.0f;  // 1.5 * 2^23: the low bits of a sum with it are an integer
    const FloatLanes shifted = x * 1.44269504f + magic;
    const FloatLanes n = shifted - magic;
    const FloatLanes r = (x - n * 0.693145752f) - n * 1.42860677e-6f;  // ln 2 in two parts: n times the first is exact
    FloatLanes p = FloatLanes{} + 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r * r + r + 1.0f;
    // Casts of vectors keep the bits. 2^n may be subnormal or too large for one factor.
    const IntLanes whole = (IntLanes)shifted - (IntLanes)magic;
    const IntLanes half = whole >> 1;
    const IntLanes first = (half + 127) << 23;
    const IntLanes second = (whole - half + 127) << 23;
    return p * (FloatLanes)first * (FloatLanes)second;
}

/// e^x of every element, in place.
inline void exp_row(float* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 4) {
        const std::size_t bytes = static_cast<std::size_t>(count - i < 4 ? count - i : 4) * sizeof(float);
        FloatLanes lanes{};
        if (bytes == sizeof lanes) {
            __builtin_memcpy(&lanes, values + i, sizeof lanes);
            lanes = exp_lanes(lanes);
            __builtin_memcpy(values + i, &lanes, sizeof lanes);
        } else {
            __builtin_memcpy(&lanes, values + i, bytes);
            lanes = exp_lanes(lanes);
            __builtin_memcpy(values + i, &lanes, bytes);
        }
    }
}

inline void exp_row(double* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) values[i] = __builtin_exp(values[i]);
}

}  // namespace burn::ndarray
