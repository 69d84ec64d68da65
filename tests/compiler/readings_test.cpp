#include <burn/compiler/readings.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler::readings_test {
namespace {

TEST(Readings, ShapesThatDifferInOnes) {
    EXPECT_TRUE(same_but_ones({2, 1, 3}, {2, 3}));
    EXPECT_TRUE(same_but_ones({1, 1}, {}));
    EXPECT_FALSE(same_but_ones({2, 3}, {3, 2}));
    EXPECT_FALSE(same_but_ones({6}, {2, 3}));
    EXPECT_FALSE(same_but_ones({2, 3}, {2}));
}

TEST(Readings, ABroadcastIsTheSameInASpaceWithMoreOnes) {
    EXPECT_EQ(recast({1, 3}, {2, 3}, {2, 1, 3, 1}), (Shape{1, 1, 3, 1}));
    EXPECT_EQ(recast({2, 1}, {2, 1}, {2}), Shape{2});
    EXPECT_EQ(recast({2, 3}, {2, 3}, {6}), Shape{6});
    EXPECT_EQ(recast({1, 1}, {2, 3}, {6}), Shape{1});
    EXPECT_EQ(recast({1, 3}, {2, 3}, {6}), std::nullopt) << "a row repeated twice is no vector of 6";
}

TEST(Readings, ASplitPassesTheSameElements) {
    EXPECT_EQ(recast_split(1, {2, 3}, {1, 2, 1, 3}), 2u);
    EXPECT_EQ(recast_split(2, {2, 1, 3}, {2, 3}), 1u);
    EXPECT_EQ(recast_split(0, {2, 3}, {1, 2, 3}), 0u);
    EXPECT_EQ(canonical_split(3, {2, 1, 1, 5}), 1u);
    EXPECT_EQ(canonical_split(2, {1, 1, 5}), 0u);
}

TEST(Readings, ViewsAreSeenThrough) {
    SegmentBuilder b;
    const ValueId x = b.input({4, 1});
    const ValueId flat = b.apply(ops::Reshape{{4}}, {x});
    const ValueId repeated = b.apply(ops::Expand{{3, 4}}, {flat});
    const ValueId deeper = b.apply(ops::Reshape{{3, 1, 4}}, {repeated});
    b.apply(ops::PointwiseOp<ops::OpCode::exp>{}, {deeper});
    const auto readings = find_readings(b.segment()).by_op;
    EXPECT_EQ(readings[1][0], (Reading{x, {4}}));
    EXPECT_EQ(readings[2][0], (Reading{x, {1, 4}}));
    EXPECT_EQ(readings[3][0], (Reading{x, {1, 1, 4}}));
}

TEST(Readings, WhatIsComputedTwiceIsReadFromTheFirst) {
    SegmentBuilder b;
    const ops::AnyOp exp = ops::PointwiseOp<ops::OpCode::exp>{}, neg = ops::PointwiseOp<ops::OpCode::neg>{};
    ops::Sum sum;
    sum.axes = {1};
    const ValueId x = b.input({4, 5});
    const ValueId first = b.apply(exp, {x}), second = b.apply(exp, {x});
    b.apply(neg, {b.apply(sum, {first})});
    b.apply(neg, {b.apply(sum, {second})});
    const auto readings = find_readings(b.segment()).by_op;
    EXPECT_EQ(readings[4][0].value, first) << "sum of the second";
    EXPECT_EQ(readings[5][0].value, readings[3][0].value) << "and what is made of it";
}

TEST(Readings, WhatOnlyLooksAlikeIsNot) {
    SegmentBuilder b;
    const ops::AnyOp neg = ops::PointwiseOp<ops::OpCode::neg>{};
    ops::Sum sum;
    sum.axes = {1};
    const ValueId x = b.input({4, 1});
    // One run adds 1 both times, the next may not.
    ops::PointwiseOp<ops::OpCode::add_scalar> add;
    const ValueId a = b.apply(add, {x}), c = b.apply(add, {x});
    b.apply(neg, {a});
    b.apply(neg, {c});
    // Elements repeated 2 and 3 times have other sums.
    const ValueId twice = b.apply(sum, {b.apply(ops::Expand{{4, 2}}, {x})});
    const ValueId thrice = b.apply(sum, {b.apply(ops::Expand{{4, 3}}, {x})});
    b.apply(neg, {twice});
    b.apply(neg, {thrice});
    const auto readings = find_readings(b.segment()).by_op;
    EXPECT_EQ(readings[3][0].value, c);
    EXPECT_EQ(readings[9][0].value, thrice);
}

TEST(Readings, RepeatedElementsCutAnewAreNot) {
    SegmentBuilder b;
    const ValueId x = b.input({1, 4});
    const ValueId flat = b.apply(ops::Reshape{{12}}, {b.apply(ops::Expand{{3, 4}}, {x})});
    b.apply(ops::PointwiseOp<ops::OpCode::exp>{}, {flat});
    EXPECT_EQ(find_readings(b.segment()).by_op[2][0], (Reading{flat, {12}}));
}

}  // namespace
}  // namespace burn::compiler::readings_test
