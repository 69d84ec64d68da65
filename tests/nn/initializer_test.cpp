#include <burn/nn/initializer.h>

#include "tensor_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace burn::nn::initializer_test {
namespace {

using test::values;

struct Moments {
    double mean = 0;
    double std = 0;
    double low = 0;
    double high = 0;
};

/// Mean, standard deviation and bounds of 40,000 values.
Moments drawn(const Initializer& initializer, Fans fans = {50, 200}) {
    Device<NdArray> device;
    device.seed(5);
    const std::vector<double> all = values(initializer.init<NdArray, 2>({200, 200}, device, fans).value());
    Moments moments;
    for (double value : all) moments.mean += value / static_cast<double>(all.size());
    for (double value : all) moments.std += (value - moments.mean) * (value - moments.mean);
    moments.std = std::sqrt(moments.std / static_cast<double>(all.size()));
    moments.low = *std::ranges::min_element(all);
    moments.high = *std::ranges::max_element(all);
    return moments;
}

void expect_uniform(const Moments& moments, double low, double high) {
    EXPECT_GE(moments.low, low);
    EXPECT_LE(moments.high, high);
    EXPECT_NEAR(moments.low, low, 0.001 * (high - low));
    EXPECT_NEAR(moments.high, high, 0.001 * (high - low));
    EXPECT_NEAR(moments.std, (high - low) / std::sqrt(12.0), 0.01 * (high - low));
}

void expect_normal(const Moments& moments, double mean, double std) {
    EXPECT_NEAR(moments.mean, mean, 0.02 * std);
    EXPECT_NEAR(moments.std, std, 0.02 * std);
    EXPECT_GT(moments.high, mean + 3 * std) << "a normal law has tails";
}

TEST(Initializer, DrawsFromTheLawsOfTheFormulas) {
    expect_uniform(drawn(Initializer::uniform(-2, 3)), -2, 3);
    expect_normal(drawn(Initializer::normal(1, 0.5)), 1, 0.5);
    // fan in 50, fan out 200: sqrt(3/50) = 0.244949, sqrt(3/200) = 0.122474, sqrt(6/250) = 0.154919, sqrt(2/250) = 0.0894427
    expect_uniform(drawn(Initializer::kaiming_uniform()), -0.244949, 0.244949);
    expect_uniform(drawn(Initializer::kaiming_uniform(2, true)), -0.244949, 0.244949);
    expect_normal(drawn(Initializer::kaiming_normal()), 0, 0.1414214);
    expect_normal(drawn(Initializer::kaiming_normal(1, true)), 0, 0.0707107);
    expect_uniform(drawn(Initializer::xavier_uniform()), -0.154919, 0.154919);
    expect_normal(drawn(Initializer::xavier_normal(3)), 0, 0.268328);
    expect_uniform(drawn(kDefaultInitializer), -0.1414214, 0.1414214);
}

TEST(Initializer, FillsWithOneNumber) {
    Device<NdArray> device;
    EXPECT_EQ(values(Initializer::ones().init<NdArray, 1>({2}, device).value()), (std::vector<double>{1, 1}));
    EXPECT_EQ(values(Initializer::zeros().init<NdArray, 1>({2}, device).value()), (std::vector<double>{0, 0}));
    EXPECT_EQ(values(Initializer::constant(0.25).init<NdArray, 1>({2}, device).value()),
              (std::vector<double>{0.25, 0.25}));
}

TEST(Initializer, DoesNotDependOnWhichParameterIsUsedFirst) {
    Device<NdArray> device;
    const auto draw = [&device](bool second_first) {
        device.seed(3);
        const auto first = Initializer::normal(0, 1).init<NdArray, 2>({3, 5}, device);
        const auto second = Initializer::uniform(0, 1).init<NdArray, 1>({7}, device);
        if (second_first) second.value();
        auto all = values(first.value());
        for (double value : values(second.value())) all.push_back(value);
        return all;
    };
    EXPECT_EQ(draw(false), draw(true));
}

/// The largest difference between x x^T and gain^2 times the identity.
double worst_from_orthonormal(const Tensor<NdArray, 2>& x, double gain) {
    const auto product = values(x.matmul(x.transpose()));
    const auto n = static_cast<std::size_t>(x.dim(0));
    double worst = 0;
    for (std::size_t i = 0; i < n * n; ++i) {
        worst = std::max(worst, std::abs(product[i] - (i % (n + 1) == 0 ? gain * gain : 0)));
    }
    return worst;
}

TEST(Initializer, OrthogonalGivesOrthonormalRowsOrColumns) {
    Device<NdArray> device;
    EXPECT_LT(worst_from_orthonormal(Initializer::orthogonal().init<NdArray, 2>({20, 50}, device).value(), 1), 1e-6);
    EXPECT_LT(
        worst_from_orthonormal(Initializer::orthogonal(2).init<NdArray, 2>({50, 20}, device).value().transpose(), 2),
        4e-6);
    const auto four = Initializer::orthogonal().init<NdArray, 4>({6, 2, 3, 3}, device).value();
    EXPECT_LT(worst_from_orthonormal(four.reshape<2>({6, 18}), 1), 1e-6);
    EXPECT_THROW((Initializer::orthogonal().init<NdArray, 1>({4}, device)), ArgumentError);
}

TEST(Initializer, AsksForTheFansItNeeds) {
    Device<NdArray> device;
    EXPECT_THROW((Initializer::kaiming_uniform().init<NdArray, 2>({2, 2}, device)), ArgumentError);
    EXPECT_THROW((Initializer::kaiming_normal(1, true).init<NdArray, 2>({2, 2}, device, {4, 0})), ArgumentError);
    EXPECT_THROW((Initializer::xavier_normal().init<NdArray, 2>({2, 2}, device, {0, 4})), ArgumentError);
    EXPECT_NO_THROW((Initializer::kaiming_normal(1, true).init<NdArray, 2>({2, 2}, device, {0, 4})));
}

}  // namespace
}  // namespace burn::nn::initializer_test
