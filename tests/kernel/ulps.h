#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace burn::kernel {

/// How far a result is from the exact value, in units of the last place that its type has there.
///
/// `exact` is of a wider type. An infinity counts as 2^(largest exponent + 1), so that a result just over the largest number
/// is judged like its neighbours; a result below `smallest` is measured by the places of that. Infinite where no distance makes
/// sense: NaN or infinity against a number, and another sign of zero.
template <class T, class Exact>
double ulps(T result, Exact exact, Exact smallest = 0) {
    using Limits = std::numeric_limits<T>;
    constexpr double kWrong = std::numeric_limits<double>::infinity();
    if (std::isnan(exact) || std::isnan(result)) return std::isnan(exact) && std::isnan(result) ? 0 : kWrong;
    const bool same_sign = std::signbit(result) == std::signbit(exact);
    // Beyond the largest number and half its ulp only infinity is right.
    const Exact beyond = std::ldexp(1 - std::ldexp(Exact(1), -Limits::digits - 1), Limits::max_exponent);
    if (std::abs(exact) >= beyond) return std::isinf(result) && same_sign ? 0 : kWrong;
    if (exact == 0) return result == 0 && same_sign ? 0 : kWrong;
    if (result == 0 && !same_sign) return kWrong;
    const Exact value =
        std::isinf(result) ? std::copysign(std::ldexp(Exact(1), Limits::max_exponent), Exact(result)) : result;
    const int exponent = std::max(std::ilogb(std::max(std::abs(exact), smallest)), Limits::min_exponent - 1);
    return static_cast<double>(std::abs(value - exact) / std::ldexp(Exact(1), exponent - Limits::digits + 1));
}

}  // namespace burn::kernel
