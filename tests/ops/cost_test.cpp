#include <burn/ops/cost.h>

#include <burn/ops/all_ops.h>

#include <gtest/gtest.h>

namespace burn::ops::cost_test {
namespace {

profile::Cost cost(AnyOp op, std::initializer_list<Shape> shapes) {
    SpecList inputs;
    for (const Shape& shape : shapes) inputs.push_back({shape, DType::F32});
    const SpecList results = op.infer({inputs.data(), inputs.size()});
    return cost_of(op, {inputs.data(), inputs.size()}, {results.data(), results.size()});
}

TEST(Cost, OfProductsIsTwoForEachProductAndSum) {
    EXPECT_EQ(cost(MatMul{}, {{7, 2, 3}, {7, 3, 5}}).operations, 2 * 7 * 2 * 3 * 5);
    EXPECT_EQ(cost(MatMul{}, {{7, 2, 3}, {1, 3, 5}}).bytes, 4 * (7 * 2 * 3 + 3 * 5 + 7 * 2 * 5));
    EXPECT_EQ(cost(Linear{}, {{4, 2, 3}, {3, 5}, {5}}).operations, 2 * 4 * 2 * 3 * 5);
}

// 2 images, 6 channels in 3 groups, 12 filters of 5 x 3, over 10 x 8: results of 6 x 6.
TEST(Cost, OfConvolutionsIsThatOfTheirProducts) {
    const ConvOptions options{.groups = 3};
    constexpr double kExpected = 2.0 * (2 * 12 * 6 * 6) * (2 * 5 * 3);
    EXPECT_EQ(cost(Conv{options}, {{2, 6, 10, 8}, {12, 2, 5, 3}}).operations, kExpected);
    EXPECT_EQ(cost(ConvInputGrad{options, {10, 8}}, {{2, 12, 6, 6}, {12, 2, 5, 3}}).operations, kExpected);
    EXPECT_EQ(cost(ConvWeightGrad{options, {5, 3}}, {{2, 6, 10, 8}, {2, 12, 6, 6}}).operations, kExpected);
}

TEST(Cost, OfAttentionIsThatOfItsProducts) {
    EXPECT_EQ(cost(Attention{}, {{2, 3, 5, 4}, {2, 3, 7, 4}, {2, 3, 7, 6}}).operations, 2.0 * 2 * 3 * 5 * 7 * (4 + 6));
}

TEST(Cost, OfPointwiseOperationsIsOneForEachElement) {
    EXPECT_EQ(cost(PointwiseOp<OpCode::add>{}, {{2, 1}, {1, 5}}).operations, 10);
    EXPECT_EQ(cost(PointwiseOp<OpCode::add>{}, {{2, 1}, {1, 5}}).bytes, 4 * (2 + 5 + 10));
    EXPECT_EQ(cost(Sum{{{1}}}, {{3, 8}}).operations, 24);
}

TEST(Cost, OfViewsIsNothingAndOfMovesNoArithmetic) {
    EXPECT_EQ(cost(Reshape{{6}}, {{2, 3}}).bytes, 0);
    EXPECT_EQ(cost(Cat{}, {{2, 3}, {1, 3}}).operations, 0);
    EXPECT_EQ(cost(Cat{}, {{2, 3}, {1, 3}}).bytes, 4 * (9 + 9));
}

TEST(Cost, OfNothingIsNothing) {
    EXPECT_EQ(cost(Conv{}, {{2, 1, 4}, {0, 1, 3}}).operations, 0);
    EXPECT_EQ(cost(MatMul{}, {{0, 3}, {3, 5}}).bytes, 0);
}

}  // namespace
}  // namespace burn::ops::cost_test
