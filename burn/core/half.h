#pragma once

#include <bit>
#include <cstdint>

namespace burn {

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. Arithmetic is done in f32 and rounded once.
struct f16 {
    std::uint16_t bits = 0;

    f16() = default;
    explicit f16(float value);
    explicit operator float() const;
};

/// The upper half of an f32: 1 sign, 8 exponent and 7 fraction bits. Arithmetic is done in f32 and rounded once.
struct bf16 {
    std::uint16_t bits = 0;

    bf16() = default;
    explicit bf16(float value);
    explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

/// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN.
inline f16::f16(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((word >> 16) & 0x8000u);
    const std::uint32_t magnitude = word & 0x7fffffffu;
    if (magnitude >= 0x7f800000u) {
        bits = static_cast<std::uint16_t>(sign | 0x7c00u | (magnitude > 0x7f800000u ? 0x0200u : 0u));
    } else if (magnitude >= 0x38800000u) {  // normal in f16, or too large
        const std::uint32_t rounded = magnitude + 0x0fffu + ((magnitude >> 13) & 1u);
        bits = static_cast<std::uint16_t>(sign | (rounded >= 0x47800000u ? 0x7c00u : (rounded - 0x38000000u) >> 13));
    } else {  // subnormal: adding 0.5 makes the hardware round at the right bit
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        bits = static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
    }
}

inline f16::operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
    if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign != 0 ? -value : value;
}

/// Rounds to nearest, ties to even; NaN stays NaN.
inline bf16::bf16(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    if ((word & 0x7fffffffu) > 0x7f800000u) {
        bits = static_cast<std::uint16_t>((word >> 16) | 0x0040u);
    } else {
        bits = static_cast<std::uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
    }
}

}  // namespace burn
