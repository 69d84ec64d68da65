#pragma once

#include <burn/base/function_ref.h>
#include <burn/core/convert.h>
#include <burn/kernel/value.h>
#include <burn/ops/num.h>

#include <bit>
#include <iterator>
#include <limits>

namespace burn::kernel {

// What the expansions of Float functions (expand_*.h) are written with, besides the words of pointwise expressions. It is
// defined for values of a kernel, which become nodes, and for numbers, on which the same source can be tested over all
// inputs.

using ops::Num;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// a * b + c, rounded once.
template <std::floating_point T>
Num<T> fma(Num<T> a, std::type_identity_t<Num<T>> b, std::type_identity_t<Num<T>> c) {
    if constexpr (std::is_same_v<T, float>) {
        return __builtin_fmaf(a.value, b.value, c.value);
    } else {
        return __builtin_fma(a.value, b.value, c.value);
    }
}

/// A number of x's type.
Value number_like(const Value& x, double number);
template <class T>
Num<T> number_like(Num<T>, double number) {
    return Num<T>(number);
}

/// The value as an element of type To.
template <Element To>
Value cast_to(const Value& a) {
    return cast(a, dtype_of<To>);
}
template <Element To, class From>
Num<To> cast_to(Num<From> a) {
    return convert_element<To>(a.value);
}

/// The same bits as an element of type To.
template <Element To>
Value bits_as(const Value& a) {
    return bitcast(a, dtype_of<To>);
}
template <Element To, class From>
Num<To> bits_as(Num<From> a) {
    return std::bit_cast<To>(a.value);
}

/// Shifts by an amount known when the kernel is built, within the width.
Value shift_left(const Value& a, int amount);
Value shift_right(const Value& a, int amount);
template <std::integral T>
Num<T> shift_left(Num<T> a, int amount) {
    return bitwise_left_shift(a, Num<T>(amount));
}
template <std::integral T>
Num<T> shift_right(Num<T> a, int amount) {
    return bitwise_right_shift(a, Num<T>(amount));
}

/// `rare()` where the mask holds, else `usual`; `rare` is computed only when the mask holds in some lane.
Value where_rare(const Value& mask, FunctionRef<Value()> rare, const Value& usual);
template <class T>
Num<T> where_rare(Num<bool> mask, std::type_identity_t<FunctionRef<Num<T>()>> rare, Num<T> usual) {
    return mask.value ? rare() : usual;
}

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule with fma.
template <class V, std::size_t N>
V polynomial(const V& x, const double (&c)[N]) {
    static_assert(N >= 2);
    V sum = fma(x, c[N - 1], c[N - 2]);
    for (std::size_t i = N - 2; i > 0; --i) sum = fma(sum, x, c[i - 1]);
    return sum;
}

/// x where it lies in [low, high], else the nearer end; NaN stays.
template <class V>
V limited(const V& x, double low, double high) {
    const V above = where(lower(x, low), low, x);
    return where(greater(above, high), high, above);
}

/// The sign of `sign` on the number `magnitude` >= 0.
template <class V>
V with_sign(const V& magnitude, const V& sign) {
    const auto bits = bits_as<std::int32_t>(sign);
    using I = std::remove_const_t<decltype(bits)>;
    return bits_as<float>(
        bitwise_or(bits_as<std::int32_t>(magnitude), bitwise_and(bits, I(std::numeric_limits<std::int32_t>::min()))));
}

}  // namespace burn::kernel
