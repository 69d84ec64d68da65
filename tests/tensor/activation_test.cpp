#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/activation.h>

#include "tests/support/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace burn::activation_test {
namespace {

using B = NdArray;
using A = Autodiff<NdArray>;
using testing::Each;
using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// What a function gives for -2, 0.5 and 3, and the gradient of its sum there.
template <class Function>
std::vector<double> gradient_of(Function function) {
    const auto x = Tensor<A, 1>::from({-2.0, 0.5, 3.0}, {}).require_grad();
    return values(*x.grad(function(x).sum().backward()));
}
template <class Function>
std::vector<double> values_of(Function function) {
    return values(function(Tensor<A, 1>::from({-2.0, 0.5, 3.0}, {})));
}

/// Values and gradients worked out with Python's math module.
#define EXPECT_ACTIVATION(EXPRESSION, ...)                                              \
    {                                                                                   \
        const auto function = [](const Tensor<A, 1>& x) { return EXPRESSION; };         \
        const std::vector<std::vector<double>> expected = __VA_ARGS__;                  \
        for (int i = 0; i < 3; ++i) {                                                   \
            EXPECT_NEAR(values_of(function)[i], expected[0][i], 2e-6) << #EXPRESSION;   \
            EXPECT_NEAR(gradient_of(function)[i], expected[1][i], 2e-6) << #EXPRESSION; \
        }                                                                               \
    }

TEST(Activation, ValuesAndGradients) {
    using namespace activation;
    EXPECT_ACTIVATION(relu(x), {{0, 0.5, 3}, {0, 1, 1}})
    EXPECT_ACTIVATION(relu6(x), {{0, 0.5, 3}, {0, 1, 1}})
    EXPECT_ACTIVATION(leaky_relu(x), {{-0.02, 0.5, 3}, {0.01, 1, 1}})
    EXPECT_ACTIVATION(threshold(x, 1, -7), {{-7, -7, 3}, {0, 0, 1}})
    EXPECT_ACTIVATION(thresholded_relu(x), {{0, 0, 3}, {0, 0, 1}})
    EXPECT_ACTIVATION(elu(x, 2), {{-1.72932943, 0.5, 3}, {0.27067057, 1, 1}})
    EXPECT_ACTIVATION(celu(x, 2), {{-1.26424112, 0.5, 3}, {0.36787944, 1, 1}})
    EXPECT_ACTIVATION(selu(x), {{-1.52016647, 0.52535049, 3.15210296}, {0.23793287, 1.05070099, 1.05070099}})
    EXPECT_ACTIVATION(gelu(x), {{-0.04550026, 0.34573123, 2.99595031}, {-0.08523180, 0.86749512, 1.01194565}})
    EXPECT_ACTIVATION(gelu_approximate(x),
                      {{-0.04540231, 0.34571401, 2.99636261}, {-0.08609926, 0.86736990, 1.01158417}})
    EXPECT_ACTIVATION(silu(x), {{-0.23840584, 0.31122967, 2.85772238}, {-0.09078425, 0.73996119, 1.08810411}})
    EXPECT_ACTIVATION(mish(x), {{-0.25250148, 0.37524521, 2.98653500}, {-0.10835509, 0.88642438, 1.02110691}})
    EXPECT_ACTIVATION(sigmoid(x), {{0.11920292, 0.62245933, 0.95257413}, {0.10499359, 0.23500371, 0.04517666}})
    EXPECT_ACTIVATION(log_sigmoid(x), {{-2.12692801, -0.47407698, -0.04858735}, {0.88079708, 0.37754067, 0.04742587}})
    EXPECT_ACTIVATION(softplus(x, 2), {{0.00907496, 0.65663084, 3.00123784}, {0.01798621, 0.73105858, 0.99752738}})
    EXPECT_ACTIVATION(hard_sigmoid(x), {{0.1, 0.6, 1}, {0.2, 0.2, 0}})
    EXPECT_ACTIVATION(hard_swish(x), {{-0.33333333, 0.29166667, 3}, {-0.16666667, 0.66666667, 1}})
    EXPECT_ACTIVATION(hardtanh(x), {{-1, 0.5, 1}, {0, 1, 0}})
    EXPECT_ACTIVATION(tanhshrink(x), {{-1.03597242, 0.03788284, 2.00494525}, {0.92934918, 0.21355227, 0.99013396}})
    EXPECT_ACTIVATION(softsign(x), {{-0.66666667, 0.33333333, 0.75}, {0.11111111, 0.44444444, 0.0625}})
    EXPECT_ACTIVATION(hard_shrink(x), {{-2, 0, 3}, {1, 0, 1}})
    EXPECT_ACTIVATION(soft_shrink(x), {{-1.5, 0, 2.5}, {1, 0, 1}})
    EXPECT_ACTIVATION(shrink(x, 1, 0.25), {{-1.75, 0, 2.75}, {1, 0, 1}})
}

TEST(Activation, ExtremesDoNotOverflow) {
    using namespace activation;
    const auto x = Tensor<B, 1>::from({-1e4f, 1e4f, -kInfinity, kInfinity}, {});
    EXPECT_THAT(values(softplus(x)), ElementsAre(0, 1e4, 0, kInfinity));
    EXPECT_THAT(values(log_sigmoid(x)), ElementsAre(-1e4, 0, -kInfinity, 0));
    EXPECT_THAT(values(sigmoid(x)), ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(values(elu(x)), ElementsAre(-1, 1e4, -1, kInfinity));
}

TEST(Activation, NanStays) {
    using namespace activation;
    const auto x = Tensor<B, 1>::from({kNan}, {});
    for (const auto& y : {relu(x),          relu6(x),
                          leaky_relu(x),    threshold(x, 1, 2),
                          gelu(x),          gelu_approximate(x),
                          silu(x),          hard_swish(x),
                          mish(x),          elu(x),
                          celu(x),          selu(x),
                          sigmoid(x),       hard_sigmoid(x),
                          log_sigmoid(x),   tanh(x),
                          hardtanh(x),      tanhshrink(x),
                          softplus(x),      softsign(x),
                          hard_shrink(x),   soft_shrink(x),
                          shrink(x),        softmax(x, 0),
                          log_softmax(x, 0)}) {
        EXPECT_TRUE(std::isnan(values(y)[0]));
    }
    EXPECT_TRUE(std::isnan(values(softmax(Tensor<B, 1>::from({1.0f, kNan, 2.0f}, {}), 0))[2]));
}

TEST(Activation, PreluHasOneSlopePerChannel) {
    const auto x = Tensor<A, 3>::from({{{-1, 2}, {-3, -4}}}, {}).require_grad();
    const auto alpha = Tensor<A, 1>::from({0.5, 0.25}, {}).require_grad();
    const auto y = activation::prelu(x, alpha);
    EXPECT_THAT(values(y), ElementsAre(-0.5, 2, -0.75, -1));
    const auto gradients = y.sum().backward();
    EXPECT_THAT(values(*x.grad(gradients)), ElementsAre(0.5, 1, 0.25, 0.25));
    EXPECT_THAT(values(*alpha.grad(gradients)), ElementsAre(-1, -7));
}

TEST(Activation, SoftmaxAlongEveryAxis) {
    using namespace activation;
    const auto x = Tensor<B, 2>::from({{0, 1, 2}, {2, 0, 0}}, {});
    EXPECT_THAT(values(softmax(x, 1)), near({0.09003057, 0.24472847, 0.66524096, 0.78698604, 0.10650698, 0.10650698}));
    EXPECT_THAT(values(softmax(x, 0)), near({0.11920292, 0.73105858, 0.88079708, 0.88079708, 0.26894142, 0.11920292}));
    EXPECT_THAT(values(softmax(x.transpose(), 0).transpose()),
                near({0.09003057, 0.24472847, 0.66524096, 0.78698604, 0.10650698, 0.10650698}));
    EXPECT_THAT(values(softmin(x, 1)), near({0.66524096, 0.24472847, 0.09003057, 0.06337894, 0.46831053, 0.46831053}));
    EXPECT_THAT(values(log_softmax(x, -1)),
                near({-2.40760596, -1.40760596, -0.40760596, -0.23954477, -2.23954477, -2.23954477}));
    EXPECT_THAT(values(quiet_softmax(x, 1)),
                near({0.08259454, 0.22451523, 0.61029569, 0.71123459, 0.09625514, 0.09625514}));
}

TEST(Activation, SoftmaxOfHugeAndTinyLogits) {
    using namespace activation;
    const auto x = Tensor<B, 2>::from({{1e8f, 1e8f, -1e8f}, {1000.0f, 0.0f, -1000.0f}, {-1e4f, -1e4f, -1e4f}}, {});
    EXPECT_THAT(values(softmax(x, 1)), near({0.5, 0.5, 0, 1, 0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3}));
    const std::vector<double> logs = values(log_softmax(x, 1));
    EXPECT_NEAR(logs[1], -0.693147, 1e-6);
    EXPECT_THAT(logs[5], -2000);
    EXPECT_THAT(logs[3], 0);
    EXPECT_NEAR(values(quiet_softmax(x, 1))[8], 0, 1e-30);
    const auto masked = Tensor<B, 2>::from({{-kInfinity, 1.0f, 1.0f}}, {});
    EXPECT_THAT(values(softmax(masked, 1)), ElementsAre(0, 0.5, 0.5));
}

TEST(Activation, SoftmaxGradient) {
    const auto x = Tensor<A, 1>::from({1.0, 2.0, 3.0}, {}).require_grad();
    EXPECT_THAT(values(*x.grad(activation::softmax(x, 0).square().sum().backward())),
                near({-0.075718, -0.130105, 0.205823}));
    // of log_softmax[0]: 1 - p0, -p1, -p2
    const auto first = Tensor<A, 1>::from({1.0, 0.0, 0.0}, {});
    EXPECT_THAT(values(*x.grad((activation::log_softmax(x, 0) * first).sum().backward())),
                near({0.90996943, -0.24472847, -0.66524096}));
}

TEST(Activation, SoftmaxOfLongRowsInHalfTypes) {
    for (const DType dtype : {DType::F32, DType::F64, DType::F16, DType::BF16}) {
        const auto x = Tensor<B, 2>::full({3, 1000}, 4, {}, dtype);
        const double tolerance = dtype == DType::BF16 ? 4e-6 : 1e-6;
        EXPECT_THAT(values(activation::softmax(x, 1)), Each(testing::DoubleNear(1e-3, tolerance))) << name_of(dtype);
        EXPECT_THAT(values(activation::log_softmax(x, 1)), Each(testing::DoubleNear(-6.907755, 0.02)))
            << name_of(dtype);
    }
}

TEST(Activation, ExponentialsAreAccurate) {
    // softmax of [x, 0] is e^x / (1 + e^x); both sides of every power of two that f32 reaches.
    for (double x = -100; x <= 88; x += 0.37) {
        const auto pair = Tensor<B, 1>::from({static_cast<float>(x), 0.0f}, {});
        const double exact = 1 / (1 + std::exp(-static_cast<double>(static_cast<float>(x))));
        EXPECT_NEAR(values(activation::softmax(pair, 0))[0], exact, 4e-7 * exact + 1e-44) << x;
    }
}

TEST(Activation, GluGatesOneHalfByTheOther) {
    const auto x = Tensor<B, 2>::from({{1, 2, 0, 0}}, {});
    EXPECT_THAT(values(activation::glu(x, 1)), ElementsAre(0.5, 1));
    EXPECT_THROW(activation::glu(x, 0), ShapeError);
}

TEST(Activation, RefusesWrongArguments) {
    const auto x = Tensor<B, 2>::zeros({2, 3}, {});
    EXPECT_THROW(activation::softmax(x, 2), IndexError);
    EXPECT_THROW(activation::prelu(x, Tensor<B, 1>::zeros({2}, {})), ShapeError);
}

}  // namespace
}  // namespace burn::activation_test
