#include <burn/nn/activation.h>

#include "tensor_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace burn::nn::activation_test {
namespace {

using test::A;
using test::values;

/// The module on -2, -0.4, 0.4, 3, whose expected values are computed by the definition in f64.
template <class M, class Definition>
void expect_activation(const M& module, Definition definition) {
    const std::vector<double> x{-2, -0.4, 0.4, 3};
    const auto y = values(module.forward(Tensor<NdArray, 1>::from({-2.0, -0.4, 0.4, 3.0}, Device<NdArray>())));
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(y[i], definition(x[i]), 2e-6) << M::kModuleName << " of " << x[i];
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double limited(double x, double low, double high) { return std::min(std::max(x, low), high); }
/// 0 within [-lambda, lambda], else drawn towards 0.
double shrunk(double x, double lambda, double by) {
    if (std::abs(x) <= lambda) return 0;
    return x > 0 ? x - by : x + by;
}

TEST(Activation, FollowsItsDefinition) {
    expect_activation(Celu{.alpha = 2}, [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); });
    expect_activation(Elu{.alpha = 2}, [](double x) { return x > 0 ? x : 2 * std::expm1(x); });
    expect_activation(Gelu(), [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); });
    expect_activation(Gelu{.approximate = true}, [](double x) {
        return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    });
    expect_activation(HardShrink(), [](double x) { return shrunk(x, 0.5, 0); });
    expect_activation(HardSigmoid(), [](double x) { return limited(0.2 * x + 0.5, 0, 1); });
    expect_activation(HardSwish(), [](double x) { return x * limited(x + 3, 0, 6) / 6; });
    expect_activation(Hardtanh{.min_value = -1, .max_value = 2}, [](double x) { return limited(x, -1, 2); });
    expect_activation(LeakyRelu(), [](double x) { return x > 0 ? x : 0.01 * x; });
    expect_activation(LogSigmoid(), [](double x) { return std::log(sigmoid(x)); });
    expect_activation(Mish(), [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
    expect_activation(Relu(), [](double x) { return std::max(x, 0.0); });
    expect_activation(Relu6(), [](double x) { return limited(x, 0, 6); });
    expect_activation(RRelu(), [](double x) { return x > 0 ? x : x * 11 / 48; });
    expect_activation(Selu(),
                      [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); });
    expect_activation(Shrink{.lambda = 0.3, .bias = 0.1}, [](double x) { return shrunk(x, 0.3, 0.1); });
    expect_activation(Sigmoid(), sigmoid);
    expect_activation(Silu(), [](double x) { return x * sigmoid(x); });
    expect_activation(SoftShrink(), [](double x) { return shrunk(x, 0.5, 0.5); });
    expect_activation(Softplus{.beta = 2}, [](double x) { return std::log1p(std::exp(2 * x)) / 2; });
    expect_activation(Softsign(), [](double x) { return x / (1 + std::abs(x)); });
    expect_activation(Tanh(), [](double x) { return std::tanh(x); });
    expect_activation(Tanhshrink(), [](double x) { return x - std::tanh(x); });
    expect_activation(Threshold{.threshold = 0.5, .value = 7}, [](double x) { return x > 0.5 ? x : 7; });
    expect_activation(ThresholdedRelu(), [](double x) { return x > 1 ? x : 0; });
}

TEST(Glu, GatesTheFirstHalfByTheSecond) {
    const auto x = Tensor<NdArray, 2>::from({{1, 2, 0, 1}, {3, 4, -1, 2}}, Device<NdArray>());
    const auto y = values(Glu().forward(x));
    const std::vector<double> expected{0.5, 2 * sigmoid(1), 3 * sigmoid(-1), 4 * sigmoid(2)};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(y[i], expected[i], 1e-6);
    EXPECT_EQ(Glu{.dim = 0}.forward(x).shape(), (Shape{1, 4}));
    EXPECT_THROW(Glu().forward(Tensor<NdArray, 1>::ones({3}, Device<NdArray>())), ShapeError);
}

TEST(RRelu, DrawsSlopesWhileTraining) {
    const auto y = values(RRelu().forward(Tensor<A, 1>::full({1000}, -1, Device<A>())));
    double mean = 0;
    for (const double value : y) {
        EXPECT_GE(-value, 1.0 / 8);
        EXPECT_LE(-value, 1.0 / 3);
        mean -= value / 1000;
    }
    EXPECT_NEAR(mean, 11.0 / 48, 0.01);
    EXPECT_NE(y[0], y[1]);
    EXPECT_EQ(values(RRelu().forward(Tensor<A, 1>::full({2}, 5, Device<A>()))), (std::vector<double>{5, 5}));
}

TEST(PRelu, LearnsItsSlopes) {
    Device<A> device;
    const auto prelu = PReluConfig{.num_parameters = 2}.init(device);
    const auto x = Tensor<A, 2>::from({{-4, 2}, {-8, -12}}, device);
    const auto y = prelu.forward(x);
    EXPECT_EQ(values(y), (std::vector<double>{-1, 2, -2, -3}));
    EXPECT_EQ(values(*prelu.alpha.grad(y.sum().backward())), (std::vector<double>{-12, -12}));
}

}  // namespace
}  // namespace burn::nn::activation_test
