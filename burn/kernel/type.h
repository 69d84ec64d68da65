#pragma once

#include <burn/core/dtype.h>

namespace burn::kernel {

/// The type of a value in a kernel: one element, or a vector of `lanes` elements.
///
/// A Bool is a truth value in registers and a byte, 0 or 1, in memory. No value has `lanes` 0: that is a statement's type.
struct Type {
    DType dtype = DType::F32;
    std::uint16_t lanes = 0;

    constexpr bool operator==(const Type&) const = default;

    constexpr bool is_value() const { return lanes > 0; }
    constexpr bool is_vector() const { return lanes > 1; }
    constexpr Type with_lanes(std::uint16_t count) const { return {dtype, count}; }
    constexpr Type with_dtype(DType other) const { return {other, lanes}; }
};

constexpr Type kNoValue{};
/// The type of element indices and counts.
constexpr DType kIndex = DType::I64;
/// The widest vector that a kernel may use.
constexpr std::uint16_t kMaxLanes = 64;

/// Writes "f32" or "f32x8".
Message& operator<<(Message& message, Type type);

}  // namespace burn::kernel
