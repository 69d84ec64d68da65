#pragma once

#include <burn/core/dtype.h>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace burn::kernel {

/// The bytes of an element in the low bytes of a word; signed types are sign-extended.
template <Element T>
constexpr std::uint64_t bits_of(T element) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<std::uint64_t>(element);
    } else if constexpr (sizeof(T) == 8) {
        return std::bit_cast<std::uint64_t>(element);
    } else if constexpr (sizeof(T) == 4) {
        return std::bit_cast<std::uint32_t>(element);
    } else {
        return element.bits;
    }
}

/// The element of type `T` whose `bits_of` this is; higher bytes do not count.
template <Element T>
constexpr T element_of(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, bool>) {
        return (bits & 0xff) != 0;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(bits);
    } else if constexpr (sizeof(T) == 8) {
        return std::bit_cast<T>(bits);
    } else if constexpr (sizeof(T) == 4) {
        return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
    } else {
        T element;
        element.bits = static_cast<std::uint16_t>(bits);
        return element;
    }
}

/// These bits as `bits_of` gives them: whatever does not belong to an element of `dtype` dropped.
constexpr std::uint64_t canonical_bits(DType dtype, std::uint64_t bits) {
    return visit_dtype(dtype, [bits](auto zero) { return bits_of(element_of<decltype(zero)>(bits)); });
}

}  // namespace burn::kernel
