#include <burn/optim/gradients_params.h>

#include "one_parameter.h"

#include <burn/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::optim::gradients_params_test {
namespace {

using test::A;
using test::gradient_for;
using test::one_parameter;
using test::values_of;
using test::vector_of;

struct Pair {
    Param<Tensor<A, 1>> first;
    Param<Tensor<A, 1>> second;
    BURN_MODULE(Pair, first, second)
};

TEST(GradientsParams, FindsGradientsByParameter) {
    Pair pair{one_parameter({1}).p, one_parameter({2}).p};
    const auto loss = (pair.first.value() * 3.0).sum();
    GradientsParams gradients = GradientsParams::from_grads(loss.backward(), pair);
    EXPECT_EQ(gradients.size(), 1u);
    EXPECT_EQ((gradients.get<NdArray, 1>(pair.first.id())->to_data().at(0)), 3);
    EXPECT_FALSE((gradients.get<NdArray, 1>(pair.second.id()).has_value()));
    EXPECT_TRUE(gradients.take(pair.first.id()));
    EXPECT_FALSE(gradients.take(pair.first.id()));
}

TEST(GradientsParams, KeepsIdsInAnyOrder) {
    GradientsParams gradients;
    for (const ParamId id : {50, 3, 99, 7, 1000, 1}) gradients.set(id, vector_of({static_cast<double>(id)}));
    for (const ParamId id : {1, 3, 7, 50, 99, 1000}) EXPECT_EQ((gradients.get<NdArray, 1>(id)->to_data().at(0)), id);
    gradients.set(7, vector_of({70}));
    EXPECT_EQ(gradients.size(), 6u);
    EXPECT_EQ((gradients.get<NdArray, 1>(7)->to_data().at(0)), 70);
}

TEST(GradientsParams, RefusesTwoParametersOfOneId) {
    Pair pair{one_parameter({1}).p, one_parameter({2}).p};
    pair.second.set_id(pair.first.id());
    const auto loss = (pair.first.value() + pair.second.value()).sum();
    EXPECT_THROW(GradientsParams::from_grads(loss.backward(), pair), ArgumentError);
}

TEST(GradientsAccumulator, AddsUpAndStartsAnew) {
    const auto module = one_parameter({1});
    GradientsAccumulator accumulator;
    for (const double factor : {1.0, 10.0, 100.0}) {
        accumulator.accumulate(module, (module.p.value() * factor).sum().backward());
    }
    EXPECT_EQ((accumulator.grads().get<NdArray, 1>(module.p.id())->to_data().at(0)), 111);
    EXPECT_TRUE(accumulator.grads().empty());
    accumulator.accumulate(gradient_for(module, {5}));
    EXPECT_EQ((accumulator.grads().get<NdArray, 1>(module.p.id())->to_data().at(0)), 5);
}

TEST(GradientsAccumulator, IsClippedAsAWhole) {
    // Pieces [2, 0] and [0, 2] with norm limit 1: [2, 2] / |[2, 2]| = [0.707107, 0.707107], not [1, 1].
    auto module = one_parameter({0, 0});
    GradientsAccumulator accumulator;
    accumulator.accumulate(gradient_for(module, {2, 0}));
    accumulator.accumulate(gradient_for(module, {0, 2}));
    auto optimizer = SgdConfig{.gradient_clipping = GradientClipping::norm(1)}.init();
    module = optimizer.step(1, module, accumulator.grads());
    EXPECT_THAT(values_of(module),
                testing::ElementsAre(testing::DoubleNear(-0.707107, 1e-6), testing::DoubleNear(-0.707107, 1e-6)));
}

}  // namespace
}  // namespace burn::optim::gradients_params_test
