#include <burn/nn/conv.h>

#include "tensor_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::nn::conv_test {
namespace {

using test::A;
using test::counting;
using test::values;
using Doubles = std::vector<double>;

Conv1d<NdArray> ones1d(std::int64_t kernel) {
    Conv1d<NdArray> conv;
    conv.weight = Param(Tensor<NdArray, 3>::ones({1, 1, kernel}, Device<NdArray>()));
    return conv;
}

TEST(Conv1d, SlidesItsKernel) {
    auto conv = ones1d(2);
    const auto x = counting<NdArray, 3>({1, 1, 5}, 1);  // 1 2 3 4 5
    EXPECT_EQ(values(conv.forward(x)), (Doubles{3, 5, 7, 9}));
    conv.stride = 2;
    EXPECT_EQ(values(conv.forward(x)), (Doubles{3, 7}));
    conv.stride = 1;
    conv.dilation = 3;
    EXPECT_EQ(values(conv.forward(x)), (Doubles{5, 7}));
    conv.dilation = 1;
    conv.padding = PaddingConfig1d::exactly(2, 1);
    EXPECT_EQ(values(conv.forward(x)), (Doubles{0, 1, 3, 5, 7, 9, 5}));
    conv.bias = Param(Tensor<NdArray, 1>::full({1}, 10, Device<NdArray>()));
    conv.padding = PaddingConfig1d::same();
    EXPECT_EQ(values(conv.forward(x)), (Doubles{13, 15, 17, 19, 15})) << "the odd zero goes behind";
}

TEST(Conv2d, WorksInGroups) {
    // Channels 1, 2, 3, 4 of one pixel; group weights [[1, 0], [0, 1]] and [[1, 1], [2, -1]].
    Conv2d<NdArray> conv;
    conv.weight =
        Param(Tensor<NdArray, 2>::from({{1, 0}, {0, 1}, {1, 1}, {2, -1}}, Device<NdArray>()).reshape<4>({4, 2, 1, 1}));
    conv.groups = 2;
    EXPECT_EQ(values(conv.forward(counting<NdArray, 4>({1, 4, 1, 1}, 1))), (Doubles{1, 2, 7, 2}));
}

TEST(Conv2d, HasAnOutputForEveryStepOfSamePadding) {
    for (const std::int64_t size : {5, 6}) {
        for (const std::int64_t kernel : {1, 2, 3, 4}) {
            for (const std::int64_t stride : {1, 2, 3}) {
                const auto conv = Conv2dConfig{{1, 2}, {kernel, 3}}
                                      .with_stride({stride, 1})
                                      .with_padding(PaddingConfig2d::same())
                                      .init(Device<NdArray>());
                const Shape y = conv.forward(counting<NdArray, 4>({1, 1, size, 7})).shape();
                EXPECT_EQ(y, (Shape{1, 2, (size + stride - 1) / stride, 7})) << size << ' ' << kernel << ' ' << stride;
            }
        }
    }
}

TEST(Conv2d, GivesGradients) {
    Conv2d<A> conv;
    conv.weight = Param(Tensor<A, 4>::ones({1, 1, 2, 2}, Device<A>()));
    conv.bias = Param(Tensor<A, 1>::zeros({1}, Device<A>()));
    // Windows of [[0, 1, 2], [3, 4, 5], [6, 7, 8]]: each weight sees four of the pixels.
    const Gradients grads = conv.forward(counting<A, 4>({1, 1, 3, 3})).sum().backward();
    EXPECT_EQ(values(*conv.weight.grad(grads)), (Doubles{8, 12, 20, 24}));
    EXPECT_EQ(values(*conv.bias->grad(grads)), (Doubles{4}));
}

TEST(ConvConfig, MakesTheShapesItSays) {
    Device<A> device;
    const auto conv = Conv2dConfig{{4, 6}, {3, 5}}.with_groups(2).init(device);
    EXPECT_EQ(conv.weight.shape(), (Shape{6, 2, 3, 5}));
    EXPECT_EQ(conv.bias->shape(), (Shape{6}));
    for (const double value : values(conv.weight.value())) EXPECT_LE(std::abs(value), 0.182575);  // 1 / sqrt(2 * 15)
    EXPECT_EQ((Conv1dConfig{4, 6, 3}.with_bias(false).init(device).num_params()), 72);
    EXPECT_FALSE((Conv1dConfig{4, 6, 3}.with_bias(false).init(device).bias.has_value()));
}

TEST(ConvConfig, RefusesWhatMakesNoSense) {
    Device<NdArray> device;
    EXPECT_THROW((Conv1dConfig{0, 6, 3}.init(device)), ArgumentError);
    EXPECT_THROW((Conv1dConfig{4, 6, 0}.init(device)), ArgumentError);
    EXPECT_THROW((Conv1dConfig{4, 6, 3}.with_stride(0).init(device)), ArgumentError);
    EXPECT_THROW((Conv1dConfig{4, 6, 3}.with_padding(PaddingConfig1d::exactly(-1)).init(device)), ArgumentError);
    EXPECT_THROW((Conv2dConfig{{4, 6}, {3, 3}}.with_groups(3).init(device)), ArgumentError);
    EXPECT_THROW((Conv2dConfig{{4, 6}, {3, 3}}.with_dilation({1, 0}).init(device)), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::conv_test
