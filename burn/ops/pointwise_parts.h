#pragma once

#include <burn/ops/expr.h>
#include <burn/ops/num.h>
#include <burn/ops/probe.h>

namespace burn::ops {

/// Parts that lines of pointwise.def share, for every kind of value that the vocabulary is defined for.

template <class V>
constexpr V sigmoid_value(V a) {
    return 1 / (1 + exp(-a));
}

/// ln(1 + e^a), where e^a would overflow too.
template <class V>
constexpr V softplus_value(V a) {
    return max_pair(a, 0) + log1p(exp(-abs(a)));
}

/// Probability of a standard normal number below a.
template <class V>
constexpr V normal_cdf(V a) {
    return 0.5 * (1 + erf(a * 0.70710678118654752440));
}

/// What gelu's tanh formula takes the sigmoid of: 2 sqrt(2 / pi) (a + 0.044715 a^3), as (1 + tanh(u)) / 2 = sigmoid(2 u).
template <class V>
constexpr V gelu_argument(V a) {
    return a * (1.59576912160573071176 + 0.07135481627260025 * (a * a));
}
template <class V>
constexpr V gelu_approximate_slope(V a, V sigmoid) {
    return sigmoid + sigmoid * (1 - sigmoid) * (a * (1.59576912160573071176 + 3 * 0.07135481627260025 * (a * a)));
}

/// The derivative of mish, from tanh(softplus(a)).
template <class V>
constexpr V mish_slope(V a, V tanh_softplus) {
    return tanh_softplus + a * (1 - tanh_softplus * tanh_softplus) * sigmoid_value(a);
}

}  // namespace burn::ops
