#include <burn/nn/loss/cross_entropy.h>

#include "../tensor_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace burn::nn::loss::cross_entropy_test {
namespace {

using test::A;
using test::values;

double loss_of(const CrossEntropyLossConfig& config, const Tensor<NdArray, 2>& x,
               const Tensor<NdArray, 1, Int>& targets) {
    return config.init(Device<NdArray>()).forward(x, targets).to_data().at(0);
}

// Probabilities of two items over three classes, and their logits.
const double kP[2][3] = {{0.2, 0.5, 0.3}, {0.6, 0.1, 0.3}};

Tensor<NdArray, 2> probabilities() {
    return Tensor<NdArray, 2>::from({{0.2, 0.5, 0.3}, {0.6, 0.1, 0.3}}, Device<NdArray>());
}
Tensor<NdArray, 2> logits() { return probabilities().log() + 7.0; }
Tensor<NdArray, 1, Int> targets(int first, int second) {
    return Tensor<NdArray, 1, Int>::from({first, second}, Device<NdArray>());
}

TEST(CrossEntropyLoss, IsTheMeanSurprise) {
    const double expected = -(std::log(0.5) + std::log(0.3)) / 2;
    EXPECT_NEAR(loss_of({}, logits(), targets(1, 2)), expected, 1e-6);
    EXPECT_NEAR(loss_of({.logits = false}, probabilities(), targets(1, 2)), expected, 1e-6);
}

TEST(CrossEntropyLoss, WeighsItemsByTheirTarget) {
    const CrossEntropyLossConfig config{.weights = SmallVector<double, 1>{1, 2, 5}};
    EXPECT_NEAR(loss_of(config, logits(), targets(1, 2)), -(2 * std::log(0.5) + 5 * std::log(0.3)) / 7, 1e-6);
}

TEST(CrossEntropyLoss, SpreadsSmoothingOverAllClasses) {
    double expected = 0;
    const int target[2] = {1, 2};
    for (int i = 0; i < 2; ++i) {
        for (int c = 0; c < 3; ++c) expected -= (0.1 / 3 + (c == target[i] ? 0.9 : 0)) * std::log(kP[i][c]) / 2;
    }
    EXPECT_NEAR(loss_of({.smoothing = 0.1}, logits(), targets(1, 2)), expected, 1e-6);
}

TEST(CrossEntropyLoss, LeavesOutPadTokens) {
    EXPECT_NEAR(loss_of({.pad_tokens = TokenList{2}}, logits(), targets(1, 2)), -std::log(0.5) / 2, 1e-6);
    EXPECT_NEAR(loss_of({.pad_tokens = TokenList{-100, 7}}, logits(), targets(-100, 0)), -std::log(0.6) / 2, 1e-6)
        << "a pad token need not be a class";
    EXPECT_THROW(loss_of({}, logits(), targets(1, 3)), IndexError);
}

TEST(CrossEntropyLoss, StaysExactForHugeLogits) {
    const auto one = [](std::initializer_list<double> row, int target) {
        const auto x = Tensor<NdArray, 1>::from(row, Device<NdArray>()).reshape<2>({1, -1});
        return loss_of({}, x, Tensor<NdArray, 1, Int>::from({target}, Device<NdArray>()));
    };
    EXPECT_NEAR(one({1e8, 1e8}, 1), 0.693147, 1e-6);
    EXPECT_EQ(one({1000, 0, -1000}, 2), 2000);
    EXPECT_EQ(one({1000, 0, -1000}, 0), 0);
}

TEST(CrossEntropyLoss, GivesTheGradientOfTheSoftmax) {
    Device<A> device;
    const auto x = Tensor<A, 2>::from_inner(logits()).require_grad();
    const auto loss = CrossEntropyLossConfig{.pad_tokens = TokenList{-1}}.init(device).forward(
        x, Tensor<A, 1, Int>::from({1, -1}, device));
    const auto dx = values(*x.grad(loss.backward()));
    // (p - onehot) / 2 for the first item, nothing for the padded one
    const std::vector<double> expected{0.1, -0.25, 0.15, 0, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(dx[i], expected[i], 1e-6);
}

TEST(CrossEntropyLoss, SaysWhatDoesNotFit) {
    Device<NdArray> device;
    EXPECT_THROW(loss_of({}, logits(), Tensor<NdArray, 1, Int>::from({1}, device)), ShapeError);
    EXPECT_THROW(loss_of({.weights = SmallVector<double, 1>{1, 2}}, logits(), targets(0, 1)), ShapeError);
    EXPECT_THROW((CrossEntropyLossConfig{.weights = SmallVector<double, 1>{1, 0}}.init(device)), ArgumentError);
    EXPECT_THROW((CrossEntropyLossConfig{.smoothing = 1.5}.init(device)), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::loss::cross_entropy_test
