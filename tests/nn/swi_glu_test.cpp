#include <burn/nn/swi_glu.h>

#include "tensor_values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace burn::nn::swi_glu_test {
namespace {

TEST(SwiGlu, GatesOneLinearMapByAnother) {
    Device<NdArray> device;
    auto module = SwiGluConfig{2, 1}.init(device);
    EXPECT_EQ(module.num_params(), 4);
    module.linear_inner.weight = Param(Tensor<NdArray, 2>::from({{1}, {1}}, device));
    module.linear_outer.weight = Param(Tensor<NdArray, 2>::from({{1}, {-1}}, device));
    // x = [3, 1]: silu(4) * 2
    const auto y = module.forward(Tensor<NdArray, 2>::from({{3, 1}}, device));
    EXPECT_NEAR(y.to_data().at(0), 2 * 4 / (1 + std::exp(-4.0)), 1e-5);
}

}  // namespace
}  // namespace burn::nn::swi_glu_test
