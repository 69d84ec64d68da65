#pragma once

#include <burn/core/tensor_data.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

/// The elements of a tensor in row-major order, and how tests compare them.

inline std::vector<double> values(const burn::TensorData& data) {
    std::vector<double> result;
    for (std::int64_t i = 0; i < data.numel(); ++i) result.push_back(data.at(i));
    return result;
}

template <class Tensor>
    requires requires(const Tensor& tensor) { tensor.to_data(); }
std::vector<double> values(const Tensor& tensor) {
    return values(tensor.to_data());
}

/// Matches numbers to `tolerance` of each, and of 1.
inline auto near(std::initializer_list<double> expected, double tolerance = 1e-5) {
    std::vector<testing::Matcher<double>> matchers;
    for (const double value : expected)
        matchers.push_back(testing::DoubleNear(value, tolerance * (1 + std::abs(value))));
    return testing::ElementsAreArray(matchers);
}
