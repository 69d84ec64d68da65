#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace burn::ndarray {

/// Four numbers at once; the compiler turns them into whatever vectors the processor has, or into four scalars.
typedef float FloatLanes __attribute__((vector_size(16)));

/// What the type decides in the computation of e^x.
template <class T>
struct ExpRule;

template <>
struct ExpRule<float> {
    static constexpr float kLowest = -104.0f;         ///< e^x rounds to 0 below
    static constexpr float kLowestNormal = -87.0f;    ///< e^x is no subnormal from here on
    static constexpr float kHighest = 89.0f;          ///< to infinity above the highest
    static constexpr float kMagic = 12582912.0f;      ///< 1.5 * 2^23: the low bits of a sum with it are an integer
    static constexpr float kLog2High = 0.693145752f;  ///< ln 2 in two parts: n times the first is exact
    static constexpr float kLog2Low = 1.42860677e-6f;
    static constexpr int kDegree = 7, kBias = 127, kMantissa = 23;
};

template <>
struct ExpRule<double> {
    static constexpr double kLowest = -746.0;
    static constexpr double kLowestNormal = -708.0;
    static constexpr double kHighest = 710.0;
    static constexpr double kMagic = 6755399441055744.0;  // 1.5 * 2^52
    static constexpr double kLog2High = 6.93147180369123816490e-01;
    static constexpr double kLog2Low = 1.90821492927058770002e-10;
    static constexpr int kDegree = 13, kBias = 1023, kMantissa = 52;
};

/// 1 / n!
template <class T>
constexpr T inverse_factorial(int n) {
    T product = 1;
    for (int i = 2; i <= n; ++i) product *= static_cast<T>(i);
    return 1 / product;
}

/// x 2^n of each lane, for the whole number n that is the difference of `shifted` and ExpRule's kMagic.
template <class T, class Lanes>
[[gnu::always_inline]] inline Lanes times_power_of_two(Lanes x, Lanes shifted) {
    using Rule = ExpRule<T>;
    using Whole = decltype(x < x);  // integers as wide
    // Casts of vectors keep the bits. 2^n may be subnormal or too large for one factor.
    const Whole whole = (Whole)shifted - (Whole)(Lanes{} + Rule::kMagic);
    const Whole half = whole >> 1;
    const Whole first = (half + Rule::kBias) << Rule::kMantissa;
    const Whole second = (whole - half + Rule::kBias) << Rule::kMantissa;
    return x * (Lanes)first * (Lanes)second;
}

/// e^x of each lane of a vector of T. `multiply_add(a, b, c)` is a b + c, rounded once or twice, `scale` is times_power_of_two or
/// an instruction that does the same.
///
///   e^x = 2^n e^r,  n = round(x / ln 2),  |r| <= ln(2) / 2; e^r by its Taylor polynomial
///
/// Numerics  within 2 ulp; underflows through the subnormals to 0, overflows to infinity; NaN stays NaN
template <class T, class Lanes, class MultiplyAdd, class Scale>
[[gnu::always_inline]] inline Lanes exp_lanes(Lanes x, MultiplyAdd multiply_add, Scale scale) {
    using Rule = ExpRule<T>;
    const Lanes lowest = Lanes{} + Rule::kLowest;
    const Lanes highest = Lanes{} + Rule::kHighest;
    x = lowest > x ? lowest : x;  // in this order one instruction that leaves NaN alone
    x = highest < x ? highest : x;
    const Lanes magic = Lanes{} + Rule::kMagic;
    const Lanes shifted = multiply_add(x, Lanes{} + static_cast<T>(1.44269504088896340736), magic);
    const Lanes n = shifted - magic;
    const Lanes r = multiply_add(n, Lanes{} - Rule::kLog2Low, multiply_add(n, Lanes{} - Rule::kLog2High, x));
    Lanes p = Lanes{} + inverse_factorial<T>(Rule::kDegree);
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        ((p = multiply_add(p, r, Lanes{} + inverse_factorial<T>(Rule::kDegree - 1 - I))), ...);
    }(std::make_integer_sequence<int, Rule::kDegree - 2>{});
    p = multiply_add(p * r, r, r) + T(1);
    return scale(p, shifted);
}

inline FloatLanes exp_lanes(FloatLanes x) {
    return exp_lanes<float>(
        x, [](FloatLanes a, FloatLanes b, FloatLanes c) { return a * b + c; },
        [](FloatLanes p, FloatLanes shifted) { return times_power_of_two<float>(p, shifted); });
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
