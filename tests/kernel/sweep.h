// Inputs that functions of f32 are tried on.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace burn::kernel {

inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Inputs at which cases meet: zeros, subnormals, ends of the range, where results overflow, vanish or change their formula.
inline std::vector<float> edges() {
    std::vector<float> result;
    for (const float center : {0.0f,
                               1e-45f,
                               1e-40f,
                               0x1p-126f,
                               0x1p-25f,
                               0x1p-24f,
                               0x1p-12f,
                               0.5f,
                               0.5625f,
                               0.625f,
                               1.0f,
                               1.5f,
                               2.0f,
                               3.0f,
                               3.92f,
                               3.93f,
                               5.47f,
                               5.5f,
                               9.0109f,
                               18.0f,
                               87.33f,
                               88.02f,
                               88.72f,
                               89.0f,
                               89.416f,
                               90.0f,
                               103.28f,
                               103.97f,
                               104.0f,
                               0.70710678f,
                               1.41421356f,
                               0.34657359f,
                               0.785398163f,
                               1.57079633f,
                               3.14159265f,
                               16777216.0f,
                               131072.0f,
                               1e22f,
                               0x1p127f,
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::infinity()}) {
        const auto bits = std::bit_cast<std::uint32_t>(center);
        for (std::uint32_t step = 0; step < 8; ++step) {
            for (const std::uint32_t near : {bits + step, bits - step}) {
                result.push_back(float_of(near));
                result.push_back(float_of(near ^ 0x80000000u));
            }
        }
    }
    result.push_back(std::numeric_limits<float>::quiet_NaN());
    return result;
}

/// BURN_SWEEP=full looks at all 2^32 inputs of each function, minutes each; by default it is a quarter of a million.
inline std::uint64_t sweep_stride() {
    const char* sweep = std::getenv("BURN_SWEEP");
    return sweep != nullptr && std::strcmp(sweep, "full") == 0 ? 1 : 16411;
}

}  // namespace burn::kernel
