#include <burn/ops/conv.h>

#include <burn/ops/checks.h>

#include "tests/support/bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace burn::ops::conv_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TensorSpec f32(const Shape& shape) { return {shape, DType::F32}; }

const Shape kImage{1, 2, 9, 9};
const Shape kWeight{2, 2, 3, 3};

/// One option at a time is `value`, with its name.
struct Options {
    const char* name;
    ConvOptions options;
};

std::vector<Options> with_one_at(std::int64_t value) {
    return {{"stride", {.stride = {1, value}}},
            {"padding", {.padding = {value, 0}}},
            {"padding behind", {.padding_behind = {0, value}}},
            {"dilation", {.dilation = {1, value}}},
            {"groups", {.groups = value}}};
}

// Near 2^63 the sums and products of sizes would overflow.
TEST(Conv, NamesOptionsThatAreTooLarge) {
    for (const std::int64_t value : {kLargestWindowOption + 1, std::int64_t{1} << 62, kMost}) {
        for (const auto& [name, options] : with_one_at(value)) {
            const auto expect_fault = [&, name = name](auto op, const Shape& first, const Shape& second) {
                const std::vector<TensorSpec> operands{f32(first), f32(second)};
                const std::string fault = message_of(ErrorKind::Argument, [&] { op.infer(operands); });
                EXPECT_THAT(fault, HasSubstr((Message() << op.info.name << ": " << name << " is ").text())) << value;
                EXPECT_THAT(fault, HasSubstr(std::to_string(value)));
                EXPECT_THAT(fault, HasSubstr(std::to_string(kLargestWindowOption)));
            };
            expect_fault(Conv{options}, kImage, kWeight);
            expect_fault(ConvInputGrad{options, {9, 9}}, {1, 2, 7, 7}, kWeight);
            expect_fault(ConvWeightGrad{options, {3, 3}}, kImage, {1, 2, 7, 7});
        }
    }
}

TEST(Conv, TakesOptionsUpToTheLargest) {
    for (const auto& [name, options] : with_one_at(kLargestWindowOption)) {
        const std::vector<TensorSpec> operands{f32(kImage), f32(kWeight)};
        if (std::string(name) == "dilation" || std::string(name) == "groups") {
            EXPECT_THROW(Conv{options}.infer(operands), ShapeError) << name;
        } else {
            EXPECT_NO_THROW(Conv{options}.infer(operands)) << name;
        }
    }
}

TEST(Conv, RefusesSizesThatNoTensorHas) {
    for (const std::int64_t size : {std::int64_t{-1}, (std::int64_t{1} << 56) + 1, kMost}) {
        const std::vector<TensorSpec> input_grad{f32({1, 2, 7, 7}), f32(kWeight)};
        EXPECT_THROW((ConvInputGrad{{}, {9, size}}.infer(input_grad)), ShapeError) << size;
        const std::vector<TensorSpec> weight_grad{f32(kImage), f32({1, 2, 7, 7})};
        EXPECT_THROW((ConvWeightGrad{{}, {size, 3}}.infer(weight_grad)), ShapeError) << size;
    }
    // Without elements, a weight may have any sizes.
    const std::vector<TensorSpec> huge_kernel{f32({0, 1, 3}), f32({0, 1, std::int64_t{1} << 56})};
    EXPECT_THROW((Conv{{.dilation = {kLargestWindowOption}}}.infer(huge_kernel)), ShapeError);
    const std::vector<TensorSpec> many_channels{f32({0, 5, 3}), f32({0, std::int64_t{1} << 56, 3})};
    EXPECT_THROW((Conv{{.groups = 1 << 10}}.infer(many_channels)), ShapeError);
    const std::vector<TensorSpec> many_channels_grad{f32({0, 0, 1}), f32({0, std::int64_t{1} << 56, 3})};
    EXPECT_THROW((ConvInputGrad{{.groups = 1 << 10}, {3}}.infer(many_channels_grad)), ShapeError);
}

}  // namespace
}  // namespace burn::ops::conv_test
