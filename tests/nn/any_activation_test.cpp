#include <burn/nn/any_activation.h>

#include "tensor_values.h"

#include <gtest/gtest.h>

namespace burn::nn::any_activation_test {
namespace {

using test::A;
using test::values;

Tensor<NdArray, 2> sample() { return Tensor<NdArray, 2>::from({{-2.0, -0.4}, {0.4, 3.0}}, Device<NdArray>()); }

/// The activation of the config does what the module does.
template <class M>
void expect_same(const ActivationConfig& config, const M& module) {
    EXPECT_EQ(values(config.init(Device<NdArray>()).forward(sample())), values(module.forward(sample())))
        << name_of(config.kind);
}

TEST(Activation, IsTheModuleOfItsKind) {
    using Kind = ActivationKind;
    EXPECT_EQ(values(ActivationConfig{.kind = Kind::Identity}.init(Device<NdArray>()).forward(sample())),
              values(sample()));
    expect_same({.kind = Kind::Gelu}, Gelu());
    expect_same({.kind = Kind::GeluApproximate}, Gelu{.approximate = true});
    expect_same({.kind = Kind::PRelu, .prelu = {.alpha = 0.5}}, LeakyRelu{.slope = 0.5});
    expect_same({}, Relu());
    expect_same({.kind = Kind::LeakyRelu, .slope = 0.2}, LeakyRelu{.slope = 0.2});
    expect_same({.kind = Kind::Selu}, Selu());
    expect_same({.kind = Kind::Sigmoid}, Sigmoid());
    expect_same({.kind = Kind::Tanh}, Tanh());
    expect_same({.kind = Kind::HardSigmoid, .hard_sigmoid = {.alpha = 0.3}}, HardSigmoid{.alpha = 0.3});
    expect_same({.kind = Kind::HardSwish}, HardSwish());
    expect_same({.kind = Kind::Softplus, .beta = 2}, Softplus{.beta = 2});
    expect_same({.kind = Kind::Softsign}, Softsign());
    expect_same({.kind = Kind::Elu, .alpha = 2}, Elu{.alpha = 2});
    expect_same({.kind = Kind::Celu, .alpha = 2}, Celu{.alpha = 2});
    expect_same({.kind = Kind::ThresholdedRelu, .alpha = 0.3}, ThresholdedRelu{.alpha = 0.3});
    expect_same({.kind = Kind::HardShrink}, HardShrink());
    expect_same({.kind = Kind::SoftShrink, .lambda = 0.3}, SoftShrink{.lambda = 0.3});
    expect_same({.kind = Kind::Shrink, .bias = 0.1}, Shrink{.bias = 0.1});
}

TEST(Activation, HasTheParametersOfItsKind) {
    Device<A> device;
    EXPECT_EQ(
        (ActivationConfig{.kind = ActivationKind::PRelu, .prelu = {.num_parameters = 3}}.init(device).num_params()), 3);
    const auto swi_glu = ActivationConfig{.kind = ActivationKind::SwiGlu, .swi_glu = SwiGluConfig{2, 5}}.init(device);
    EXPECT_EQ(swi_glu.num_params(), 20);
    EXPECT_EQ(swi_glu.valid().forward(sample()).shape(), (Shape{2, 5}));
    EXPECT_THROW(ActivationConfig{.kind = ActivationKind::SwiGlu}.init(device), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::any_activation_test
