#pragma once

#include "tests/support/values.h"

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

/// What tests of operations share: tensors that count up, and gradients against differences.

namespace burn::testing {

using namespace ::testing;  // which this namespace hides

using B = Autodiff<NdArray>;

using ::values;

/// 0, 1, 2, .. in row-major order.
template <std::size_t D, TensorKind K = Float>
Tensor<B, D, K> count_up(const Shape& shape) {
    return Tensor<B, 1, K>::arange(0, shape.numel(), Device<B>()).template reshape<D>(shape);
}

/// Compares the gradient of sum(w * f(x)), for fixed weights w, with central differences in f64.
template <std::size_t D, class Function>
void expect_gradient(const std::vector<double>& start, const Shape& shape, Function f, double tolerance = 1e-7) {
    const Device<B> device;
    const auto at = [&](const std::vector<double>& x) {
        return Tensor<B, D>::from_data(TensorData::from(std::span<const double>(x), shape), device);
    };
    const auto loss = [&](const Tensor<B, D>& x) {
        const auto y = f(x);
        std::vector<double> weights(static_cast<std::size_t>(y.shape().numel()));
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.25 + 0.5 * static_cast<double>((i * 5) % 7);
        using Result = std::remove_cvref_t<decltype(y)>;
        return (y * Result::from_data(TensorData::from(std::span<const double>(weights), y.shape()), device)).sum();
    };
    const auto x = at(start).require_grad();
    const auto gradient = x.grad(loss(x).backward());
    ASSERT_TRUE(gradient.has_value());
    EXPECT_EQ(gradient->shape(), shape);
    const std::vector<double> got = values(*gradient);
    constexpr double kStep = 1e-4;
    for (std::size_t i = 0; i < start.size(); ++i) {
        std::vector<double> above = start;
        std::vector<double> below = start;
        above[i] += kStep;
        below[i] -= kStep;
        const double expected = (values(loss(at(above)))[0] - values(loss(at(below)))[0]) / (2 * kStep);
        EXPECT_NEAR(got[i], expected, tolerance * (1 + std::abs(expected))) << "element " << i;
    }
}

}  // namespace burn::testing
