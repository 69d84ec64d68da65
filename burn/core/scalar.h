#pragma once

#include <burn/base/message.h>
#include <burn/core/dtype.h>

#include <concepts>
#include <cstdint>

namespace burn {

/// A number that takes the type of the tensor it meets; keeps all bits of a double or a 64-bit integer, with sign or without.
class Scalar {
public:
    constexpr Scalar() : integer_(0) {}
    template <std::integral T>
    constexpr Scalar(T value)  // NOLINT: numbers are scalars
        : integer_(static_cast<std::int64_t>(value)), type_(value > T{0} && integer_ < 0 ? DType::U64 : DType::I64) {}
    template <std::floating_point T>
    constexpr Scalar(T value) : floating_(static_cast<double>(value)), type_(DType::F64) {}  // NOLINT

    /// What holds it: F64, I64, or U64 for what only that has.
    constexpr DType type() const { return type_; }
    constexpr bool is_floating() const { return type_ == DType::F64; }

    /// The value as `T`; floating to integer truncates.
    template <class T>
    constexpr T to() const {
        if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
            return T(to<float>());
        } else if constexpr (std::is_same_v<T, bool>) {
            return is_floating() ? floating_ != 0 : integer_ != 0;
        } else {
            if (is_floating()) return static_cast<T>(floating_);
            return type_ == DType::U64 ? static_cast<T>(static_cast<std::uint64_t>(integer_))
                                       : static_cast<T>(integer_);
        }
    }

    constexpr bool operator==(const Scalar& other) const {
        if (type_ != other.type_) return false;
        return is_floating() ? floating_ == other.floating_ : integer_ == other.integer_;
    }

private:
    union {
        std::int64_t integer_;
        double floating_;
    };
    DType type_ = DType::I64;
};

Message& operator<<(Message& message, const Scalar& scalar);

}  // namespace burn
