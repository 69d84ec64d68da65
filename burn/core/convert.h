#pragma once

#include <burn/core/dtype.h>

#include <limits>

namespace burn {

/// One element under another type; the rule for every cast in the library.
///
/// Numerics  floating to floating rounds to nearest even; floating to integer truncates and saturates, NaN gives 0;
///           integer to integer keeps the low bits; anything to bool is "not zero"
template <class To, class From>
constexpr To convert_element(From value) {
    constexpr bool from_half = std::is_same_v<From, f16> || std::is_same_v<From, bf16>;
    constexpr bool to_half = std::is_same_v<To, f16> || std::is_same_v<To, bf16>;
    if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (from_half) {
        return convert_element<To>(static_cast<float>(value));
    } else if constexpr (std::is_same_v<To, bool>) {
        return value != From(0);
    } else if constexpr (to_half) {
        return To(static_cast<float>(value));
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        if (value != value) return To(0);
        // The bounds as powers of two are exact in every floating type; the upper one is the first value that does not fit.
        constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
        constexpr To half = std::numeric_limits<To>::max() / 2 + 1;
        constexpr From beyond = static_cast<From>(half) * From(2);
        if (value < low) return std::numeric_limits<To>::min();
        if (value >= beyond) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

}  // namespace burn
