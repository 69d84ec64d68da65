#include <burn/nn/linear.h>

#include "tensor_values.h"

#include <burn/nn/batch_norm.h>
#include <burn/nn/conv.h>
#include <burn/nn/embedding.h>
#include <burn/nn/layer_norm.h>
#include <burn/nn/max_pool.h>
#include <burn/nn/swi_glu.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace burn::nn::linear_test {
namespace {

using test::A;
using test::counting;
using test::values;

TEST(Linear, MapsTheLastAxis) {
    Linear<NdArray> linear;
    linear.weight = Param(counting<NdArray, 2>({2, 3}));
    linear.bias = Param(counting<NdArray, 1>({3}, 10));
    // [1, 2] [[0, 1, 2], [3, 4, 5]] = [6, 9, 12]
    const auto x = Tensor<NdArray, 3>::from({{{1, 2}}, {{0, 1}}}, Device<NdArray>());
    EXPECT_EQ(values(linear.forward(x)), (std::vector<double>{16, 20, 24, 13, 15, 17}));
    linear.bias.reset();
    EXPECT_EQ(values(linear.forward(x)), (std::vector<double>{6, 9, 12, 3, 4, 5}));
    linear.weight = Param(counting<NdArray, 2>({2, 3}).transpose());
    linear.layout = LinearLayout::Col;
    EXPECT_EQ(values(linear.forward(x)), (std::vector<double>{6, 9, 12, 3, 4, 5}));
}

TEST(Linear, GivesGradients) {
    for (const LinearLayout layout : {LinearLayout::Row, LinearLayout::Col}) {
        Linear<A> linear;
        const auto weight = counting<A, 2>({2, 3});
        linear.weight = Param(layout == LinearLayout::Row ? weight : weight.transpose());
        linear.bias = Param(Tensor<A, 1>::zeros({3}, Device<A>()));
        linear.layout = layout;
        const auto x = Tensor<A, 2>::from({{1, 2}, {3, 4}}, Device<A>());
        const Gradients grads = linear.forward(x).sum().backward();
        EXPECT_EQ(values(*linear.bias->grad(grads)), (std::vector<double>{2, 2, 2}));
        const auto expected =
            layout == LinearLayout::Row ? std::vector<double>{4, 4, 4, 6, 6, 6} : std::vector<double>{4, 6, 4, 6, 4, 6};
        EXPECT_EQ(values(*linear.weight.grad(grads)), expected);
    }
}

TEST(LinearConfig, MakesTheShapesItSays) {
    Device<A> device;
    const auto linear = LinearConfig{4, 3}.init(device);
    EXPECT_EQ(linear.weight.shape(), (Shape{4, 3}));
    EXPECT_EQ(linear.bias->shape(), (Shape{3}));
    EXPECT_EQ(linear.num_params(), 15);
    EXPECT_FALSE((LinearConfig{4, 3}.with_bias(false).init(device).bias.has_value()));
    EXPECT_EQ((LinearConfig{.d_input = 4, .d_output = 3, .layout = LinearLayout::Col}.init(device).weight.shape()),
              (Shape{3, 4}));
    for (const double value : values(linear.weight.value())) EXPECT_LE(std::abs(value), 0.5);  // 1 / sqrt(4)
    EXPECT_THROW(LinearConfig(0, 3).init(device), ArgumentError);
    EXPECT_THROW(LinearConfig(3, -1).init(device), ArgumentError);
}

TEST(Linear, SaysWhatDoesNotFit) {
    const auto linear = LinearConfig{4, 3}.init(Device<NdArray>());
    EXPECT_THROW(linear.forward(Tensor<NdArray, 2>::ones({2, 3}, Device<NdArray>())), ShapeError);
}

// Known fault: sizes above 2^63 were reported as negative ones.
TEST(LinearConfig, NamesHugeSizesAsTheyWereGiven) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    const auto fault = [](auto make) {
        try {
            make();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Device<NdArray> device;
    const auto named = testing::HasSubstr("18446744073709551615");
    EXPECT_THAT(fault([&] { LinearConfig(kMost, 3).init(device); }), named);
    EXPECT_THAT(fault([&] { LinearConfig(3, kMost).init(device); }), named);
    EXPECT_THAT(fault([&] { SwiGluConfig{kMost, 3}.init(device); }), named);
    EXPECT_THAT(fault([&] { EmbeddingConfig{kMost, 3}.init(device); }), named);
    EXPECT_THAT(fault([&] { LayerNormConfig{kMost}.init(device); }), named);
    EXPECT_THAT(fault([&] { BatchNormConfig{kMost}.init(device); }), named);
    EXPECT_THAT(fault([&] { Conv1dConfig{kMost, 3, 3}.init(device); }), named);
    EXPECT_THAT(fault([&] { Conv1dConfig{3, 3, 3}.with_stride(kMost).init(device); }), named);
    EXPECT_THAT(fault([&] { MaxPool1dConfig{kMost}.init(); }), named);
    EXPECT_THAT(fault([&] { Tensor<NdArray, 2>::zeros({kMost, std::size_t{1}}, device); }), named);
    // Those that an integer of 64 bits has are refused by the tensor they would make.
    const auto too_many = testing::HasSubstr("9223372036854775807");
    EXPECT_THAT(fault([&] { LinearConfig(kLargest, 3).init(device); }), too_many);
    EXPECT_THAT(fault([&] { LinearConfig(kLargest, kLargest).init(device); }), too_many);
    EXPECT_THAT(fault([&] { EmbeddingConfig{kLargest, kLargest}.init(device); }), too_many);
    EXPECT_THAT(fault([&] { LayerNormConfig{kLargest}.init(device); }), too_many);
    EXPECT_THAT(fault([&] { BatchNormConfig{kLargest}.init(device); }), too_many);
    EXPECT_THAT(fault([&] { Conv1dConfig{kLargest, kLargest, 3}.init(device); }), too_many);
    EXPECT_THAT(fault([&] { Conv2dConfig{{kLargest, kLargest}, {3, 3}}.init(device); }), too_many);
    EXPECT_THAT(fault([&] { Conv2dConfig{{1, 1}, {kLargest, 3}}.init(device); }), too_many);
    EXPECT_THAT(
        fault([&] { LinearConfig(kLargest, kLargest).with_initializer(Initializer::xavier_normal(1)).init(device); }),
        too_many);
}

}  // namespace
}  // namespace burn::nn::linear_test
