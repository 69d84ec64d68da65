#include <burn/nn/loss/binary_cross_entropy.h>

#include "../tensor_values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace burn::nn::loss::binary_cross_entropy_test {
namespace {

using test::A;
using test::values;

double loss_of(const BinaryCrossEntropyLossConfig& config, const Tensor<NdArray, 1>& x,
               const Tensor<NdArray, 1, Int>& targets) {
    return config.init(Device<NdArray>()).forward(x, targets).to_data().at(0);
}

TEST(BinaryCrossEntropyLoss, IsTheMeanSurprise) {
    Device<NdArray> device;
    const auto p = Tensor<NdArray, 1>::from({0.8, 0.3}, device);
    const auto logits = Tensor<NdArray, 1>::from({std::log(4.0), std::log(3.0 / 7)}, device);
    const auto targets = Tensor<NdArray, 1, Int>::from({1, 0}, device);
    const double hit = -std::log(0.8);
    const double miss = -std::log(0.7);
    EXPECT_NEAR(loss_of({}, p, targets), (hit + miss) / 2, 1e-6);
    EXPECT_NEAR(loss_of({.logits = true}, logits, targets), (hit + miss) / 2, 1e-6);
    EXPECT_NEAR(loss_of({.weights = SmallVector<double, 1>{3, 5}}, p, targets), (5 * hit + 3 * miss) / 2, 1e-6);
    // smoothed targets 0.9 and 0.1
    const double smooth = -(0.9 * std::log(0.8) + 0.1 * std::log(0.2) + 0.1 * std::log(0.3) + 0.9 * std::log(0.7)) / 2;
    EXPECT_NEAR(loss_of({.smoothing = 0.2}, p, targets), smooth, 1e-6);
}

TEST(BinaryCrossEntropyLoss, WeighsEntriesOfTheLastAxis) {
    Device<NdArray> device;
    const auto p = Tensor<NdArray, 2>::from({{0.8, 0.3}}, device);
    const auto loss = BinaryCrossEntropyLossConfig{.weights = SmallVector<double, 1>{3, 5}}.init(device).forward(
        p, Tensor<NdArray, 2, Int>::from({{1, 0}}, device));
    EXPECT_NEAR(loss.to_data().at(0), -(3 * std::log(0.8) + 5 * std::log(0.7)) / 2, 1e-6);
}

TEST(BinaryCrossEntropyLoss, StaysFiniteAtItsEnds) {
    Device<A> device;
    const auto p = Tensor<A, 1>::from({0.0, 1.0, 0.0, 1.0}, device).require_grad();
    const auto targets = Tensor<A, 1, Int>::from({1, 0, 0, 1}, device);
    const auto loss = BinaryCrossEntropyLossConfig{}.init(device).forward(p, targets);
    EXPECT_EQ(loss.to_data().at(0), 50) << "two of four logarithms are -100";
    for (const double value : values(*p.grad(loss.backward()))) EXPECT_TRUE(std::isfinite(value));
    const auto x = Tensor<NdArray, 1>::from({1000.0, -1000.0}, Device<NdArray>());
    EXPECT_EQ(loss_of({.logits = true}, x, Tensor<NdArray, 1, Int>::from({0, 0}, Device<NdArray>())), 500);
}

TEST(BinaryCrossEntropyLoss, SaysWhatDoesNotFit) {
    Device<NdArray> device;
    const auto p = Tensor<NdArray, 1>::from({0.5, 0.5}, device);
    EXPECT_THROW(loss_of({}, p, Tensor<NdArray, 1, Int>::from({1}, device)), ShapeError);
    EXPECT_THROW(
        loss_of({.weights = SmallVector<double, 1>{1, 2, 3}}, p, Tensor<NdArray, 1, Int>::from({1, 0}, device)),
        ShapeError);
    EXPECT_THROW((BinaryCrossEntropyLossConfig{.smoothing = -1}.init(device)), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::loss::binary_cross_entropy_test
