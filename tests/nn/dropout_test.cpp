#include <burn/nn/dropout.h>

#include "tensor_values.h"

#include <gtest/gtest.h>

namespace burn::nn::dropout_test {
namespace {

using test::A;
using test::values;

TEST(Dropout, KeepsAboutTheAskedShareAndTheMean) {
    const Dropout dropout{.prob = 0.25};
    const auto y = values(dropout.forward(Tensor<A, 2>::ones({100, 100}, Device<A>())));
    int zeros = 0;
    for (const double value : y) {
        if (value == 0) {
            ++zeros;
        } else {
            EXPECT_FLOAT_EQ(static_cast<float>(value), 1.0f / 0.75f);
        }
    }
    EXPECT_NEAR(zeros, 2500, 200);
}

TEST(Dropout, IsInactiveWithoutAutodiff) {
    const auto x = Tensor<NdArray, 2>::ones({10, 10}, Device<NdArray>());
    EXPECT_TRUE(Dropout{.prob = 0.9}.forward(x).handle().same(x.handle()));
}

TEST(Dropout, DrawsAnewEachTimeAndRepeatsWithASeed) {
    Device<A> device;
    const Dropout dropout;
    const auto x = Tensor<A, 1>::ones({64}, device);
    device.seed(1);
    const auto first = values(dropout.forward(x));
    const auto second = values(dropout.forward(x));
    device.seed(1);
    EXPECT_EQ(values(dropout.forward(x)), first);
    EXPECT_NE(first, second);
}

TEST(Dropout, LetsGradientsThroughWhereItLetsValuesThrough) {
    Device<A> device;
    const auto x = Tensor<A, 1>::full({64}, 3, device).require_grad();
    const auto y = Dropout{.prob = 0.5}.forward(x);
    const auto out = values(y);
    const auto dx = values(*x.grad(y.sum().backward()));
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(dx[i], out[i] / 3);
}

TEST(Dropout, HasExactEnds) {
    Device<A> device;
    const auto x = Tensor<A, 1>::full({8}, 3, device);
    EXPECT_EQ(values(Dropout{.prob = 0}.forward(x)), std::vector<double>(8, 3));
    EXPECT_EQ(values(Dropout{.prob = 1}.forward(x)), std::vector<double>(8, 0));
    EXPECT_THROW(Dropout{.prob = 1.5}.forward(x), ArgumentError);
    EXPECT_THROW(DropoutConfig{-0.1}.init(), ArgumentError);
    EXPECT_EQ(DropoutConfig{0.3}.init().prob, 0.3);
}

}  // namespace
}  // namespace burn::nn::dropout_test
