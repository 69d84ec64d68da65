// Elements that are worth trying.
#pragma once

#include <burn/core/dtype.h>
#include <burn/kernel/node.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace burn::cpu {

/// Extremes, values around what rounds, and some drawn at random; of f16 and bf16, many bit patterns.
template <class T>
std::vector<T> samples() {
    std::vector<T> all;
    std::uint64_t state = 12345;
    const auto random = [&state] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return state >> 16;
    };
    if constexpr (std::is_same_v<T, bool>) {
        all = {false, true};
    } else if constexpr (std::is_integral_v<T>) {
        using Limits = std::numeric_limits<T>;
        for (const int small : {0, 1, 2, 3, 5, 7, 100, 127, -1, -2, -3, -7, -128}) all.push_back(static_cast<T>(small));
        for (const T edge : {Limits::min(), static_cast<T>(Limits::min() + 1), Limits::max(),
                             static_cast<T>(Limits::max() - 1), static_cast<T>(Limits::max() / 2 + 1)}) {
            all.push_back(edge);
        }
        for (int i = 0; i < 8; ++i) all.push_back(static_cast<T>(random()));
    } else if constexpr (std::is_floating_point_v<T>) {
        using Limits = std::numeric_limits<T>;
        all = {0,
               T(-0.0),
               1,
               -1,
               T(0.5),
               T(-0.5),
               T(1.5),
               T(2.5),
               T(-2.5),
               T(0.1),
               T(-0.1),
               3,
               T(88.5),
               T(-100.25),
               T(1e-3),
               T(1234.567),
               T(65504),
               T(65520),
               T(1e-7),
               T(127.99),
               T(-128.5),
               T(255.5),
               T(2147483648),
               T(-2147483649.0),
               T(1.8e19),
               T(-9.3e18),
               Limits::infinity(),
               -Limits::infinity(),
               Limits::quiet_NaN(),
               -Limits::quiet_NaN(),
               Limits::denorm_min(),
               -Limits::denorm_min(),
               Limits::min(),
               Limits::min() / 3,
               Limits::max(),
               Limits::lowest(),
               Limits::epsilon()};
        for (int i = 0; i < 8; ++i) {
            const double unit = static_cast<double>(random() % 1000003) / 1000003;
            all.push_back(static_cast<T>(std::ldexp(unit * 2 - 1, static_cast<int>(random() % 40) - 20)));
        }
    } else {
        for (const int bits : {0x0000, 0x8000, 0x3c00, 0xbc00, 0x3f80, 0xbf80, 0x0001, 0x8001, 0x03ff, 0x0400,
                               0x007f, 0x0080, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7f80, 0xff80,
                               0x7fc0, 0xffc0, 0x7f7f, 0xff7f, 0x4248, 0x4049, 0x5640, 0x42b1, 0x6400, 0x4b80}) {
            all.emplace_back().bits = static_cast<std::uint16_t>(bits);
        }
        for (int i = 0; i < 10; ++i) all.emplace_back().bits = static_cast<std::uint16_t>(random());
    }
    return all;
}

/// The number that an element is compared as: f16 and bf16 in f32.
template <class T>
auto number_of(T element) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        return static_cast<float>(element);
    } else {
        return element;
    }
}

template <class T>
bool is_nan_element(T element) {
    const auto number = number_of(element);
    return number != number;
}

template <class T>
std::uint64_t bits_of(T element) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &element, sizeof(T));
    return bits;
}

/// Equal bit for bit, but for which NaN it is.
template <class T>
bool same_element(T a, T b) {
    return bits_of(a) == bits_of(b) || (is_nan_element(a) && is_nan_element(b));
}

}  // namespace burn::cpu
