#include <burn/nn/layer_norm.h>

#include "tensor_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::nn::layer_norm_test {
namespace {

using test::values;
using testing::DoubleNear;
using testing::ElementsAre;

TEST(LayerNorm, NormalisesEachRow) {
    Device<NdArray> device;
    auto norm = LayerNormConfig{2}.with_epsilon(0).init(device);
    norm.gamma = Param(Tensor<NdArray, 1>::from({2.0, 3.0}, device));
    norm.beta = Param(Tensor<NdArray, 1>::from({10.0, 20.0}, device));
    // Rows 1, 3 and 50, 10 become -1, 1 and 1, -1.
    const auto x = Tensor<NdArray, 2>::from({{1, 3}, {50, 10}}, device);
    EXPECT_THAT(values(norm.forward(x)),
                ElementsAre(DoubleNear(8, 1e-5), DoubleNear(23, 1e-5), DoubleNear(12, 1e-5), DoubleNear(17, 1e-5)));
    norm.beta.reset();
    EXPECT_THAT(values(norm.forward(x)),
                ElementsAre(DoubleNear(-2, 1e-5), DoubleNear(3, 1e-5), DoubleNear(2, 1e-5), DoubleNear(-3, 1e-5)));
}

TEST(LayerNormConfig, MakesTheShapesItSays) {
    Device<NdArray> device;
    EXPECT_EQ(LayerNormConfig{5}.init(device).num_params(), 10);
    EXPECT_EQ(LayerNormConfig{5}.with_bias(false).init(device).num_params(), 5);
    EXPECT_THROW(LayerNormConfig{0}.init(device), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::layer_norm_test
