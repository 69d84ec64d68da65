#include <burn/nn/max_pool.h>

#include "tensor_values.h"

#include <gtest/gtest.h>

namespace burn::nn::max_pool_test {
namespace {

using test::A;
using test::counting;
using test::values;
using Doubles = std::vector<double>;

TEST(MaxPool, TakesTheLargestOfEachWindow) {
    const auto x = Tensor<NdArray, 3>::from({{{-5, -4, -3, -2, -1}}}, Device<NdArray>());
    EXPECT_EQ(values(MaxPool1dConfig{2}.init().forward(x)), (Doubles{-4, -2}));
    EXPECT_EQ(values(MaxPool1dConfig{2}.with_stride(1).with_dilation(3).init().forward(x)), (Doubles{-2, -1}));
    const auto ceil = MaxPool1dConfig{2}.with_padding(PaddingConfig1d::exactly(1)).with_ceil_mode(true);
    EXPECT_EQ(values(ceil.init().forward(x)), (Doubles{-5, -3, -1})) << "padding is never chosen";
    EXPECT_EQ(values(MaxPool2dConfig{{2, 2}}.init().forward(counting<NdArray, 4>({1, 1, 2, 4}))), (Doubles{5, 7}));
}

TEST(MaxPool, NeverChoosesAnUnevenPadding) {
    const auto x = Tensor<NdArray, 3>::from({{{-5, -4, -3}}}, Device<NdArray>());
    const auto same = MaxPool1dConfig{2}.with_stride(1).with_padding(PaddingConfig1d::same());
    EXPECT_EQ(values(same.init().forward(x)), (Doubles{-4, -3, -3}));
}

TEST(MaxPool, SendsGradientsToWhatItTook) {
    const auto x = Tensor<A, 3>::from({{{1, 7, 3, 2}}}, Device<A>()).require_grad();
    const auto y = MaxPool1dConfig{2}.init().forward(x);
    EXPECT_EQ(values(*x.grad(y.sum().backward())), (Doubles{0, 1, 1, 0}));
}

TEST(MaxPool, RefusesWhatMakesNoSense) {
    EXPECT_THROW(MaxPool1dConfig{0}.init(), ArgumentError);
    EXPECT_THROW((MaxPool2dConfig{{2, 2}}.with_dilation({1, 0}).init()), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::max_pool_test
