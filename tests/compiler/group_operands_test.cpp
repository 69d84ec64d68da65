#include <burn/compiler/group_operands.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler::group_operands_test {
namespace {

const ops::AnyOp kNeg = ops::PointwiseOp<ops::OpCode::neg>{};
const ops::AnyOp kAdd = ops::PointwiseOp<ops::OpCode::add>{};

ops::Full full_of(Shape shape) {
    ops::Full full;
    full.shape = shape;
    return full;
}

TEST(GroupOperands, ANumberOfUpToEightOperationsIsMadeByWhoNeedsIt) {
    SegmentBuilder b;
    ValueId number = b.apply(full_of({4}), {});
    for (int operations = 2; operations <= 8; ++operations) number = b.apply(kNeg, {number});
    const ValueId ninth = b.apply(kNeg, {number}), x = b.input({4});
    const ValueId sum = b.apply(kAdd, {x, number});
    const GroupOperands operands(b.segment());
    EXPECT_TRUE(operands.is_constant(number));
    EXPECT_FALSE(operands.is_constant(ninth));
    EXPECT_FALSE(operands.is_constant(x));
    EXPECT_FALSE(operands.is_constant(sum));
}

TEST(GroupOperands, AConstantComesAfterThoseItIsMadeOf) {
    SegmentBuilder b;
    const ValueId one = b.apply(full_of({4}), {}), negative = b.apply(kNeg, {one});
    const ValueId both = b.apply(kAdd, {negative, one});
    const GroupOperands operands(b.segment());
    Group group;
    Segment grouped = b.segment();
    operands.add_constant(both, group, grouped);
    EXPECT_EQ(group.constants, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(GroupOperands, WhatNobodyNeedsNeedNotRun) {
    SegmentBuilder b;
    const ValueId x = b.input({4});
    const ValueId needed = b.apply(kNeg, {x});
    b.apply(kNeg, {needed});
    b.hold(b.apply(kAdd, {needed, b.apply(full_of({4}), {})}));
    const GroupOperands operands(b.segment());
    EXPECT_TRUE(operands.is_needed(0)) << "an operand of what is held";
    EXPECT_FALSE(operands.is_needed(1)) << "read by nobody";
    EXPECT_FALSE(operands.is_needed(2)) << "a number, which its reader makes";
    EXPECT_TRUE(operands.is_needed(3)) << "held";
}

TEST(GroupOperands, AReductionSeesRepeatedElements) {
    SegmentBuilder b;
    const ValueId x = b.input({4});
    const ValueId repeated = b.apply(ops::Expand{{3, 4}}, {x});
    ops::Sum sum;
    sum.axes = {0};
    b.apply(kNeg, {repeated});
    b.apply(sum, {repeated});
    const GroupOperands operands(b.segment());
    EXPECT_EQ(operands.of(1)[0], (Reading{x, {1, 4}}));
    EXPECT_EQ(operands.of(2)[0], (Reading{repeated, {3, 4}}));
}

}  // namespace
}  // namespace burn::compiler::group_operands_test
