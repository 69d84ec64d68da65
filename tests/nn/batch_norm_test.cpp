#include <burn/nn/batch_norm.h>

#include "tensor_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::nn::batch_norm_test {
namespace {

using test::A;
using test::values;
using testing::DoubleNear;
using testing::ElementsAre;

TEST(BatchNorm, UsesTheBatchWhileTrainingAndMovesTheRunningState) {
    Device<A> device;
    const auto norm = BatchNormConfig{2}.with_epsilon(0).init(device);
    // Channel 0: 1, 3, mean 2, variance 1. Channel 1: 10, 30, mean 20, variance 100.
    const auto x = Tensor<A, 2>::from({{1, 10}, {3, 30}}, device);
    EXPECT_THAT(values(norm.forward(x)),
                ElementsAre(DoubleNear(-1, 1e-5), DoubleNear(-1, 1e-5), DoubleNear(1, 1e-5), DoubleNear(1, 1e-5)));
    EXPECT_THAT(values(norm.running_mean.value()), ElementsAre(DoubleNear(0.2, 1e-6), DoubleNear(2, 1e-6)));
    EXPECT_THAT(values(norm.running_var.value()), ElementsAre(DoubleNear(1, 1e-6), DoubleNear(10.9, 1e-5)));
    EXPECT_FALSE(norm.running_mean.value().is_tracked());
}

TEST(BatchNorm, UsesTheRunningStateElsewhere) {
    Device<NdArray> device;
    auto norm = BatchNormConfig{1}.with_epsilon(0).init(device);
    norm.running_mean.set(Tensor<NdArray, 1>::full({1}, 2, device));
    norm.running_var.set(Tensor<NdArray, 1>::full({1}, 4, device));
    norm.gamma = Param(Tensor<NdArray, 1>::full({1}, 10, device));
    norm.beta = Param(Tensor<NdArray, 1>::full({1}, 100, device));
    const auto x = Tensor<NdArray, 3>::from({{{2, 6}}}, device);
    EXPECT_THAT(values(norm.forward(x)), ElementsAre(DoubleNear(100, 1e-4), DoubleNear(120, 1e-4)));
    EXPECT_EQ(values(norm.running_mean.value()), (std::vector<double>{2}));
}

TEST(BatchNorm, TakesItsStateAlongToValid) {
    Device<A> device;
    const auto norm = BatchNormConfig{1}.init(device);
    for (int i = 0; i < 50; ++i) norm.forward(Tensor<A, 2>::from({{4}, {8}}, device));
    const auto inner = norm.valid();
    EXPECT_THAT(values(inner.running_mean.value()), ElementsAre(DoubleNear(6, 0.05)));
    EXPECT_THAT(values(inner.running_var.value()), ElementsAre(DoubleNear(4, 0.05)));
    EXPECT_THAT(values(inner.forward(Tensor<NdArray, 2>::from({{8}}, Device<NdArray>()))),
                ElementsAre(DoubleNear(1, 0.02)));
}

TEST(BatchNorm, PullsGradientsThroughTheStatistics) {
    Device<A> device;
    const auto norm = BatchNormConfig{1}.init(device);
    // The result does not change when x moves as a whole, so the gradient sums up to 0.
    const auto x = Tensor<A, 2>::from({{1}, {2}, {6}}, device).require_grad();
    const auto weights = Tensor<A, 2>::from({{1}, {-2}, {3}}, device);
    const Gradients grads = (norm.forward(x) * weights).sum().backward();
    const auto dx = values(*x.grad(grads));
    EXPECT_NEAR(dx[0] + dx[1] + dx[2], 0, 1e-5);
    EXPECT_GT(std::abs(dx[0]), 0.01);
    EXPECT_EQ(values(*norm.beta.grad(grads)), (std::vector<double>{2}));
}

TEST(BatchNormConfig, RefusesNoFeatures) { EXPECT_THROW(BatchNormConfig{0}.init(Device<A>()), ArgumentError); }

}  // namespace
}  // namespace burn::nn::batch_norm_test
