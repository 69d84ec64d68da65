#include <burn/optim/sgd.h>

#include "one_parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::optim::sgd_test {
namespace {

using test::path_of;
using testing::ElementsAre;

TEST(Sgd, FollowsTheReference) {
    // p = 1, rate 0.1, momentum 0.9, decay 0.1, gradients 0.5, 1, 1.5; values of PyTorch
    const SgdConfig config{.weight_decay = 0.1, .momentum = Momentum{.momentum = 0.9, .dampening = 0}};
    EXPECT_THAT(path_of(config.init(), 0.1, 1, {0.5, 1, 1.5}),
                ElementsAre(testing::DoubleNear(0.94, 1e-5), testing::DoubleNear(0.7766, 1e-5),
                            testing::DoubleNear(0.471774, 1e-5)));
}

TEST(Sgd, LooksAheadWithNesterov) {
    // v = 1, then 0.5 + 1 = 1.5; steps of g + 0.5 v: 1.5 and 1.75
    const SgdConfig config{.momentum = Momentum{.momentum = 0.5, .dampening = 0, .nesterov = true}};
    EXPECT_THAT(path_of(config.init(), 1, 0, {1, 1}), ElementsAre(-1.5, -3.25));
}

TEST(Sgd, DampensAllStepsButTheFirst) {
    // v = 1, then 0.5 + 0.75 = 1.25
    const SgdConfig config{.momentum = Momentum{.momentum = 0.5, .dampening = 0.25}};
    EXPECT_THAT(path_of(config.init(), 1, 0, {1, 1}), ElementsAre(-1, -2.25));
}

TEST(SgdConfig, ChecksItsNumbers) {
    EXPECT_THROW(SgdConfig{.weight_decay = -1}.init(), ArgumentError);
    EXPECT_THROW((SgdConfig{.momentum = Momentum{.momentum = 1.5}}.init()), ArgumentError);
    EXPECT_THROW((SgdConfig{.momentum = Momentum{.dampening = -1}}.init()), ArgumentError);
}

}  // namespace
}  // namespace burn::optim::sgd_test
