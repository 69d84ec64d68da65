#include <burn/compiler/epilogue.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gmock/gmock.h>

namespace burn::compiler::epilogue_test {
namespace {

using ::testing::ElementsAre;

/// The steps where products and convolutions take epilogues.
std::vector<GroupedStep> steps_of(const SegmentBuilder& b) {
    GroupedSegment grouped = group_segment(b.segment());
    join_epilogues(grouped, takes_groups);
    return std::move(grouped.steps);
}

ValueId product(SegmentBuilder& b, std::int64_t rows = 30, std::int64_t columns = 40) {
    return b.apply(ops::MatMul{}, {b.input({rows, 7}), b.input({7, columns})});
}

TEST(Epilogue, FollowsTheRowsOfItsProduct) {
    SegmentBuilder b;
    const ValueId p = product(b), bias = b.input({1, 40}), y = b.apply(exp(), {b.apply(add(), {p, bias})});
    b.hold(y);
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_TRUE(steps[0].is_group());
    EXPECT_TRUE(steps[0].runs_operation());
    EXPECT_EQ(steps[0].op, 0u);
    EXPECT_EQ(steps[0].group.product, p);
    EXPECT_EQ(steps[0].group.split, 1u);
    EXPECT_THAT(steps[0].group.inputs, ElementsAre(p, bias));
    EXPECT_THAT(steps[0].group.outputs, ElementsAre(y));
}

TEST(Epilogue, IsNoneWhereTheDeviceTakesNone) {
    SegmentBuilder b;
    b.hold(b.apply(exp(), {product(b)}));
    GroupedSegment grouped = group_segment(b.segment());
    join_epilogues(grouped, [](const ops::AnyOp&) { return false; });
    EXPECT_EQ(grouped.steps.size(), 2u);
}

TEST(Epilogue, ReducesRowsThatLieWithinThoseOfTheProduct) {
    const auto steps_with_sum_over = [](Shape shape, Dims axes) {
        SegmentBuilder b;
        const ValueId heads = b.apply(ops::Reshape{shape}, {product(b, 30, 80)});
        b.hold(b.apply(ops::PointwiseOp<ops::OpCode::div>{}, {heads, b.apply(ops::Sum{{axes}}, {heads})}));
        return steps_of(b);
    };
    const auto heads = steps_with_sum_over({30, 4, 20}, {2});
    ASSERT_EQ(heads.size(), 1u);
    EXPECT_TRUE(heads[0].group.rows);
    EXPECT_EQ(heads[0].group.split, 2u);
    EXPECT_EQ(steps_with_sum_over({30, 4, 20}, {1, 2}).size(), 1u) << "a row is a row of the product";
    EXPECT_EQ(steps_with_sum_over({15, 160}, {1}).size(), 2u) << "a row is two of the product";
    EXPECT_EQ(steps_with_sum_over({30, 40, 2}, {2}).size(), 2u) << "rows of two are no work for a cube";
}

TEST(Epilogue, OfAConvolutionFollowsItsPlanes) {
    SegmentBuilder b;
    const ValueId y = b.apply(ops::Conv{}, {b.input({2, 3, 9, 9}), b.input({5, 3, 2, 2})});
    b.hold(b.apply(exp(), {b.apply(add(), {y, b.input({1, 5, 1, 1})})}));
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].group.split, 2u);
}

TEST(Epilogue, LeavesTheProductToItsOtherReaders) {
    SegmentBuilder b;
    const ValueId p = product(b), y = b.apply(exp(), {p});
    const ValueId again = b.apply(ops::MatMul{}, {p, b.input({40, 5})});
    b.hold(y);
    b.hold(again);
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].group.product, p);
    EXPECT_FALSE(steps[1].is_group());
}

TEST(Epilogue, WaitsForNothingBetweenItAndItsProduct) {
    // The group needs what a second product makes of the first one.
    SegmentBuilder b;
    const ValueId p = product(b, 30, 30);
    const ValueId square = b.apply(ops::MatMul{}, {p, p}), sorted = b.apply(ops::Sort{}, {square});
    b.hold(b.apply(add(), {p, sorted}));
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 4u);
    for (const GroupedStep& step : steps) EXPECT_FALSE(step.group.product.has_value());
}

TEST(Epilogue, MakesItsProductWaitForWhatItReadsBesides) {
    SegmentBuilder b;
    const ValueId p = product(b), sorted = b.apply(ops::Sort{}, {b.input({30, 40})});
    b.hold(b.apply(add(), {p, sorted}));
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].op, 1u);
    EXPECT_EQ(steps[1].group.product, p);
}

TEST(Epilogue, FollowsTheLastOfTwoProducts) {
    SegmentBuilder b;
    const ValueId first = product(b), second = product(b);
    b.hold(b.apply(add(), {first, second}));
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_FALSE(steps[0].is_group());
    EXPECT_EQ(steps[1].group.product, second);
}

TEST(Epilogue, IsNoGroupOfAnotherSpaceAndNoneThatSumsColumns) {
    SegmentBuilder b;
    const ValueId one = b.apply(ops::Reshape{{1, 30, 40}}, {product(b)});
    const ValueId wide = b.apply(add(), {one, b.input({3, 30, 40})});
    const ValueId sums = b.apply(ops::Sum{{{0}}}, {b.apply(exp(), {product(b)})});
    b.hold(wide);
    b.hold(sums);
    for (const GroupedStep& step : steps_of(b)) EXPECT_FALSE(step.group.product.has_value());
}

}  // namespace
}  // namespace burn::compiler::epilogue_test
