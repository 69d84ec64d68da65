#include <burn/optim/adam.h>

#include "one_parameter.h"

#include <burn/ops/optim.h>

#include <gtest/gtest.h>

namespace burn::optim::adam_test {
namespace {

using test::path_of;

void expect_path(const std::vector<double>& path, const std::vector<double>& expected) {
    ASSERT_EQ(path.size(), expected.size());
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_NEAR(path[i], expected[i], 1e-5);
}

// p = 1, rate 0.1, betas 0.9 and 0.999, epsilon 1e-8, gradients 0.5, 1, 1.5; values of PyTorch.
TEST(Adam, FollowsTheReference) {
    expect_path(path_of(AdamConfig{.epsilon = 1e-8}.init(), 0.1, 1, {0.5, 1, 1.5}), {0.9, 0.803482, 0.707682});
    expect_path(path_of(AdamConfig{.epsilon = 1e-8, .weight_decay = 0.1}.init(), 0.1, 1, {0.5, 1, 1.5}),
                {0.9, 0.802503, 0.705695});
}

TEST(AdamW, FollowsTheReference) {
    expect_path(path_of(AdamWConfig{.epsilon = 1e-8, .weight_decay = 0.1}.init(), 0.1, 1, {0.5, 1, 1.5}),
                {0.89, 0.784582, 0.680936});
}

TEST(AdamW, DecaysCautiouslyWhereStepAndParameterHaveOneSign) {
    const AdamWConfig cautious{.epsilon = 1e-8, .weight_decay = 0.1, .cautious_weight_decay = true};
    expect_path(path_of(cautious.init(), 0.1, 1, {0.5}), {0.89});  // the step goes towards 0: it decays
    expect_path(path_of(cautious.init(), 0.1, 1, {-0.5}), {1.1});  // away from 0: it does not
    expect_path(path_of(cautious.init(), 0.1, -1, {0.5}), {-1.1});
    expect_path(path_of(cautious.init(), 0.1, -1, {-0.5}), {-0.89});
    const auto amsgrad = cautious.with_amsgrad(true);
    expect_path(path_of(amsgrad.init(), 0.1, 1, {0.5}), {0.89});
    expect_path(path_of(amsgrad.init(), 0.1, 1, {-0.5}), {1.1});
}

TEST(AdamConfig, ChecksItsNumbers) {
    EXPECT_THROW(AdamConfig{.beta_1 = 1}.init(), ArgumentError);
    EXPECT_THROW(AdamConfig{.beta_2 = -0.1}.init(), ArgumentError);
    EXPECT_THROW(AdamConfig{.epsilon = -1}.init(), ArgumentError);
    EXPECT_THROW(AdamWConfig{.weight_decay = -1}.init(), ArgumentError);
}

}  // namespace
}  // namespace burn::optim::adam_test
