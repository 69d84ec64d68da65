#include <burn/nn/pool.h>

#include "tensor_values.h"

#include <gtest/gtest.h>

namespace burn::nn::pool_test {
namespace {

using test::A;
using test::counting;
using test::values;
using Doubles = std::vector<double>;

TEST(AvgPool, AveragesWindows) {
    const auto x = counting<NdArray, 3>({1, 1, 5}, 1);
    EXPECT_EQ(values(AvgPool1dConfig{2}.init().forward(x)), (Doubles{1.5, 3.5}));
    EXPECT_EQ(values(AvgPool1dConfig{2}.with_ceil_mode(true).init().forward(x)), (Doubles{1.5, 3.5, 5}));
    const auto padded = AvgPool1dConfig{3}.with_stride(2).with_padding(PaddingConfig1d::exactly(1));
    EXPECT_EQ(values(padded.init().forward(x)), (Doubles{1, 3, 3}));
    EXPECT_EQ(values(padded.with_count_include_pad(false).init().forward(x)), (Doubles{1.5, 3, 4.5}));
    EXPECT_EQ(values(AvgPool2dConfig{{2, 1}}.init().forward(counting<NdArray, 4>({1, 1, 2, 3}))),
              (Doubles{1.5, 2.5, 3.5}));
}

TEST(AvgPool, PadsUnevenlyWhereThePaddingCounts) {
    const auto x = counting<NdArray, 3>({1, 1, 3}, 1);
    const auto same = AvgPool1dConfig{2}.with_stride(1).with_padding(PaddingConfig1d::same());
    EXPECT_EQ(values(same.init().forward(x)), (Doubles{1.5, 2.5, 1.5}));
    EXPECT_THROW(same.with_count_include_pad(false).init().forward(x), UnsupportedError);
}

TEST(AdaptiveAvgPool, HasTheSizeAsked) {
    EXPECT_EQ(values(AdaptiveAvgPool1dConfig{2}.init().forward(counting<NdArray, 3>({1, 1, 5}, 1))), (Doubles{2, 4}));
    const auto x = counting<NdArray, 4>({2, 3, 24, 24});
    EXPECT_EQ((AdaptiveAvgPool2dConfig{{8, 8}}.init().forward(x).shape()), (Shape{2, 3, 8, 8}));
    EXPECT_EQ(values(AdaptiveAvgPool2dConfig{{1, 1}}.init().forward(counting<NdArray, 4>({1, 1, 2, 2}))),
              (Doubles{1.5}));
}

TEST(Pool, RefusesWhatMakesNoSense) {
    EXPECT_THROW(AvgPool1dConfig{0}.init(), ArgumentError);
    EXPECT_THROW((AvgPool2dConfig{{2, 2}}.with_stride({0, 1}).init()), ArgumentError);
    EXPECT_THROW(AdaptiveAvgPool1dConfig{0}.init(), ArgumentError);
    EXPECT_THROW((AdaptiveAvgPool2dConfig{{3, 0}}.init()), ArgumentError);
    EXPECT_THROW(AvgPool1dConfig{2}.with_padding(PaddingConfig1d::exactly(-1)).init(), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::pool_test
