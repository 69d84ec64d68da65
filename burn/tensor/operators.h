#pragma once

#include <burn/tensor/tensor.h>

/// The operators of C++ on tensors. Comparisons are methods (`equal`, `greater`, ..): their results are tensors.

namespace burn {

#define BURN_ARITHMETIC(OPERATOR, METHOD, SCALAR_METHOD)                      \
    template <Backend B, std::size_t D, NumericKind K>                        \
    Tensor<B, D, K> operator OPERATOR(Tensor<B, D, K> a, Tensor<B, D, K> b) { \
        return std::move(a).METHOD(std::move(b));                             \
    }                                                                         \
    template <Backend B, std::size_t D, NumericKind K, Number N>              \
    Tensor<B, D, K> operator OPERATOR(Tensor<B, D, K> a, N s) {               \
        return std::move(a).SCALAR_METHOD(Scalar(s));                         \
    }
BURN_ARITHMETIC(+, add, add_scalar)
BURN_ARITHMETIC(-, sub, sub_scalar)
BURN_ARITHMETIC(*, mul, mul_scalar)
BURN_ARITHMETIC(/, div, div_scalar)
BURN_ARITHMETIC(%, remainder, remainder_scalar)
#undef BURN_ARITHMETIC

template <Backend B, std::size_t D, NumericKind K, Number N>
Tensor<B, D, K> operator+(N s, Tensor<B, D, K> a) {
    return std::move(a).add_scalar(Scalar(s));
}
template <Backend B, std::size_t D, NumericKind K, Number N>
Tensor<B, D, K> operator-(N s, Tensor<B, D, K> a) {
    return std::move(a).sub_from_scalar(Scalar(s));
}
template <Backend B, std::size_t D, NumericKind K, Number N>
Tensor<B, D, K> operator*(N s, Tensor<B, D, K> a) {
    return std::move(a).mul_scalar(Scalar(s));
}
template <Backend B, std::size_t D, Number N>
Tensor<B, D> operator/(N s, Tensor<B, D> a) {
    return std::move(a).div_into_scalar(Scalar(s));
}
template <Backend B, std::size_t D, NumericKind K>
Tensor<B, D, K> operator-(Tensor<B, D, K> a) {
    return std::move(a).neg();
}

template <Backend B, std::size_t D>
Tensor<B, D, Bool> operator!(Tensor<B, D, Bool> a) {
    return std::move(a).bool_not();
}
template <Backend B, std::size_t D>
Tensor<B, D, Bool> operator&(Tensor<B, D, Bool> a, Tensor<B, D, Bool> b) {
    return std::move(a).bool_and(std::move(b));
}
template <Backend B, std::size_t D>
Tensor<B, D, Bool> operator|(Tensor<B, D, Bool> a, Tensor<B, D, Bool> b) {
    return std::move(a).bool_or(std::move(b));
}
template <Backend B, std::size_t D>
Tensor<B, D, Bool> operator^(Tensor<B, D, Bool> a, Tensor<B, D, Bool> b) {
    return std::move(a).bool_xor(std::move(b));
}

}  // namespace burn
