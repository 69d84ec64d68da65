#pragma once

#include <burn/base/message.h>
#include <burn/core/dtype.h>

#include <concepts>
#include <cstdint>

namespace burn {

/// A number that takes the type of the tensor it meets; keeps all bits of a double or a 64-bit integer.
class Scalar {
public:
    constexpr Scalar() : integer_(0) {}
    template <std::integral T>
    constexpr Scalar(T value) : integer_(static_cast<std::int64_t>(value)) {}  // NOLINT: numbers are scalars
    template <std::floating_point T>
    constexpr Scalar(T value) : floating_(static_cast<double>(value)), is_floating_(true) {}  // NOLINT

    constexpr bool is_floating() const { return is_floating_; }

    /// The value as `T`; floating to integer truncates.
    template <class T>
    constexpr T to() const {
        if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
            return T(to<float>());
        } else if constexpr (std::is_same_v<T, bool>) {
            return is_floating_ ? floating_ != 0 : integer_ != 0;
        } else {
            return is_floating_ ? static_cast<T>(floating_) : static_cast<T>(integer_);
        }
    }

    constexpr bool operator==(const Scalar& other) const {
        if (is_floating_ != other.is_floating_) return false;
        return is_floating_ ? floating_ == other.floating_ : integer_ == other.integer_;
    }

private:
    union {
        std::int64_t integer_;
        double floating_;
    };
    bool is_floating_ = false;
};

Message& operator<<(Message& message, const Scalar& scalar);

}  // namespace burn
