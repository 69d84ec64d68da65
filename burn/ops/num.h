#pragma once

#include <burn/core/scalar.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace burn::ops {

/// One number of type `T`, with exactly the vocabulary that pointwise expressions may use.
///
/// A plain `float` would let `a * 0.5` become a double and `int8 + int8` an int; here literals and results take the tensor's
/// type, so that an expression means the same for a scalar, a vector, a kernel value and a handle.
///
/// Numerics  integers wrap; x / 0 and remainder(x, 0) are 0 for integers
template <class T>
struct Num {
    T value{};

    constexpr Num() = default;
    template <class U>
        requires std::is_arithmetic_v<U>
    constexpr Num(U number) : value(static_cast<T>(number)) {}  // NOLINT: literals take the tensor's type
};

namespace detail {

/// The type in which integer arithmetic wraps instead of being undefined.
template <class T>
struct Wrapping {
    using type = T;
};
template <std::signed_integral T>
struct Wrapping<T> {
    using type = std::make_unsigned_t<T>;
};
/// At least 32 bits wide, so that no promotion to a signed int comes back.
template <class T>
using WrappingType = std::conditional_t<std::is_floating_point_v<T>, T,
                                        std::conditional_t<(sizeof(T) < 4), std::uint32_t, typename Wrapping<T>::type>>;

template <class T>
constexpr WrappingType<T> wrap(Num<T> a) {
    return static_cast<WrappingType<T>>(a.value);
}

}  // namespace detail

// ---- arithmetic. Hidden template friends would cost compile time in every loop: plain templates, two mixed forms each.
#define BURN_NUM_ARITHMETIC(OPERATOR)                                            \
    template <class T>                                                           \
    constexpr Num<T> operator OPERATOR(Num<T> a, Num<T> b) {                     \
        return Num<T>(static_cast<T>(detail::wrap(a) OPERATOR detail::wrap(b))); \
    }                                                                            \
    template <class T, class U>                                                  \
        requires std::is_arithmetic_v<U>                                         \
    constexpr Num<T> operator OPERATOR(Num<T> a, U b) {                          \
        return a OPERATOR Num<T>(b);                                             \
    }                                                                            \
    template <class T, class U>                                                  \
        requires std::is_arithmetic_v<U>                                         \
    constexpr Num<T> operator OPERATOR(U a, Num<T> b) {                          \
        return Num<T>(a) OPERATOR b;                                             \
    }
BURN_NUM_ARITHMETIC(+)
BURN_NUM_ARITHMETIC(-)
BURN_NUM_ARITHMETIC(*)
#undef BURN_NUM_ARITHMETIC

template <class T>
constexpr Num<T> operator/(Num<T> a, Num<T> b) {
    if constexpr (std::is_floating_point_v<T>) {
        return a.value / b.value;
    } else {
        if (b.value == 0) return T(0);
        if (std::is_signed_v<T> && b.value == static_cast<T>(-1)) return Num<T>(0) - a;  // the lowest value wraps
        return static_cast<T>(a.value / b.value);
    }
}
template <class T, class U>
    requires std::is_arithmetic_v<U>
constexpr Num<T> operator/(Num<T> a, U b) {
    return a / Num<T>(b);
}
template <class T, class U>
    requires std::is_arithmetic_v<U>
constexpr Num<T> operator/(U a, Num<T> b) {
    return Num<T>(a) / b;
}
template <class T>
constexpr Num<T> operator-(Num<T> a) {
    if constexpr (std::is_floating_point_v<T>) {
        return -a.value;
    } else {
        return Num<T>(0) - a;
    }
}

// ---- comparisons
#define BURN_NUM_COMPARISON(NAME, OPERATOR)        \
    template <class T>                             \
    constexpr Num<bool> NAME(Num<T> a, Num<T> b) { \
        return a.value OPERATOR b.value;           \
    }                                              \
    template <class T, class U>                    \
        requires std::is_arithmetic_v<U>           \
    constexpr Num<bool> NAME(Num<T> a, U b) {      \
        return NAME(a, Num<T>(b));                 \
    }
BURN_NUM_COMPARISON(equal, ==)
BURN_NUM_COMPARISON(not_equal, !=)
BURN_NUM_COMPARISON(greater, >)
BURN_NUM_COMPARISON(greater_equal, >=)
BURN_NUM_COMPARISON(lower, <)
BURN_NUM_COMPARISON(lower_equal, <=)
#undef BURN_NUM_COMPARISON

/// `a` where the mask holds, else `b`.
template <class T>
constexpr Num<T> where(Num<bool> mask, Num<T> a, Num<T> b) {
    return mask.value ? a : b;
}
template <class T, class U>
    requires std::is_arithmetic_v<U>
constexpr Num<T> where(Num<bool> mask, Num<T> a, U b) {
    return where(mask, a, Num<T>(b));
}
template <class T, class U>
    requires std::is_arithmetic_v<U>
constexpr Num<T> where(Num<bool> mask, U a, Num<T> b) {
    return where(mask, Num<T>(a), b);
}

// ---- functions of the C library, by element type
#define BURN_NUM_UNARY(NAME, FUNCTION)                                                \
    inline Num<float> NAME(Num<float> a) { return __builtin_##FUNCTION##f(a.value); } \
    inline Num<double> NAME(Num<double> a) { return __builtin_##FUNCTION(a.value); }
BURN_NUM_UNARY(exp, exp)
BURN_NUM_UNARY(expm1, expm1)
BURN_NUM_UNARY(log, log)
BURN_NUM_UNARY(log1p, log1p)
BURN_NUM_UNARY(sqrt, sqrt)
BURN_NUM_UNARY(sin, sin)
BURN_NUM_UNARY(cos, cos)
BURN_NUM_UNARY(tan, tan)
BURN_NUM_UNARY(asin, asin)
BURN_NUM_UNARY(acos, acos)
BURN_NUM_UNARY(atan, atan)
BURN_NUM_UNARY(sinh, sinh)
BURN_NUM_UNARY(cosh, cosh)
BURN_NUM_UNARY(tanh, tanh)
BURN_NUM_UNARY(asinh, asinh)
BURN_NUM_UNARY(acosh, acosh)
BURN_NUM_UNARY(atanh, atanh)
BURN_NUM_UNARY(erf, erf)
BURN_NUM_UNARY(floor, floor)
BURN_NUM_UNARY(ceil, ceil)
BURN_NUM_UNARY(trunc, trunc)
/// Half to even.
BURN_NUM_UNARY(round, rint)
#undef BURN_NUM_UNARY

#define BURN_NUM_BINARY(NAME, FUNCTION)                                                                      \
    inline Num<float> NAME(Num<float> a, Num<float> b) { return __builtin_##FUNCTION##f(a.value, b.value); } \
    inline Num<double> NAME(Num<double> a, Num<double> b) { return __builtin_##FUNCTION(a.value, b.value); }
BURN_NUM_BINARY(powf, pow)
BURN_NUM_BINARY(atan2, atan2)
BURN_NUM_BINARY(hypot, hypot)
BURN_NUM_BINARY(fmod, fmod)
#undef BURN_NUM_BINARY

// ---- tests
template <class T>
constexpr Num<bool> is_nan(Num<T> a) {
    return a.value != a.value;
}
template <std::floating_point T>
constexpr Num<bool> is_inf(Num<T> a) {
    return a.value == std::numeric_limits<T>::infinity() || a.value == -std::numeric_limits<T>::infinity();
}
template <std::floating_point T>
constexpr Num<bool> is_finite(Num<T> a) {
    return a.value - a.value == 0;
}

// ---- signs and extrema
template <class T>
constexpr Num<T> abs(Num<T> a) {
    if constexpr (std::is_same_v<T, float>) {
        return __builtin_fabsf(a.value);
    } else if constexpr (std::is_same_v<T, double>) {
        return __builtin_fabs(a.value);
    } else {
        return a.value < T(0) ? -a : a;
    }
}
/// -1, 0 or 1; NaN stays NaN.
template <class T>
constexpr Num<T> sign(Num<T> a) {
    if constexpr (std::is_floating_point_v<T>) {
        return a.value > 0 ? T(1) : (a.value < 0 ? T(-1) : a.value * T(0) + (a.value != a.value ? a.value : T(0)));
    } else {
        return static_cast<T>((a.value > T(0)) - (a.value < T(0)));
    }
}
/// The larger one; NaN if either is NaN.
template <class T>
constexpr Num<T> max_pair(Num<T> a, Num<T> b) {
    return a.value > b.value || a.value != a.value ? a : b;
}
template <class T, class U>
    requires std::is_arithmetic_v<U>
constexpr Num<T> max_pair(Num<T> a, U b) {
    return max_pair(a, Num<T>(b));
}
/// The smaller one; NaN if either is NaN.
template <class T>
constexpr Num<T> min_pair(Num<T> a, Num<T> b) {
    return a.value < b.value || a.value != a.value ? a : b;
}
template <class T, class U>
    requires std::is_arithmetic_v<U>
constexpr Num<T> min_pair(Num<T> a, U b) {
    return min_pair(a, Num<T>(b));
}
/// What is left of a / b rounded down: the sign of the divisor.
template <class T>
constexpr Num<T> remainder(Num<T> a, Num<T> b) {
    if constexpr (std::is_floating_point_v<T>) {
        const Num<T> left = fmod(a, b);
        return left.value != 0 && (left.value < 0) != (b.value < 0) ? left + b : left;
    } else {
        if (b.value == 0 || (std::is_signed_v<T> && b.value == static_cast<T>(-1))) return T(0);
        const T left = static_cast<T>(a.value % b.value);
        return left != 0 && (left < 0) != (b.value < 0) ? Num<T>(left) + b : Num<T>(left);
    }
}
/// Integer power by squaring; a negative exponent gives 0 unless the base is 1 or -1.
template <std::integral T>
constexpr Num<T> powi(Num<T> a, Num<T> b) {
    if (b.value < 0) {
        if (a.value == 1) return T(1);
        if (std::is_signed_v<T> && a.value == static_cast<T>(-1)) return (b.value & 1) != 0 ? a : Num<T>(1);
        return T(0);
    }
    Num<T> result = 1;
    for (auto left = b.value; left > 0; left = static_cast<T>(left >> 1)) {
        if ((left & 1) != 0) result = result * a;
        a = a * a;
    }
    return result;
}

// ---- bits and truth values
#define BURN_NUM_BITS(NAME, EXPRESSION)         \
    template <class T>                          \
    constexpr Num<T> NAME(Num<T> a, Num<T> b) { \
        return static_cast<T>(EXPRESSION);      \
    }
BURN_NUM_BITS(bitwise_and, a.value & b.value)
BURN_NUM_BITS(bitwise_or, a.value | b.value)
BURN_NUM_BITS(bitwise_xor, a.value ^ b.value)
BURN_NUM_BITS(bool_and, a.value&& b.value)
BURN_NUM_BITS(bool_or, a.value || b.value)
BURN_NUM_BITS(bool_xor, a.value != b.value)
#undef BURN_NUM_BITS
template <class T>
constexpr Num<T> bitwise_not(Num<T> a) {
    return static_cast<T>(~a.value);
}
constexpr Num<bool> bool_not(Num<bool> a) { return !a.value; }
/// Shifts by less than 0 or by the width and more give what shifting bit by bit would: 0, or the sign.
template <class T>
constexpr Num<T> bitwise_left_shift(Num<T> a, Num<T> b) {
    if (b.value < 0 || static_cast<std::uint64_t>(b.value) >= sizeof(T) * 8) return T(0);
    return static_cast<T>(detail::wrap(a) << b.value);
}
template <class T>
constexpr Num<T> bitwise_right_shift(Num<T> a, Num<T> b) {
    if (b.value < 0 || static_cast<std::uint64_t>(b.value) >= sizeof(T) * 8)
        return a.value < 0 ? static_cast<T>(-1) : T(0);
    return static_cast<T>(a.value >> b.value);
}

}  // namespace burn::ops
