#include "segment_builder.h"

#include <burn/compiler/group.h>
#include <burn/ops/all_ops.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::compiler::group_test {
namespace {

using ops::OpCode;
using ops::PointwiseOp;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

const ops::AnyOp kExp = PointwiseOp<OpCode::exp>{};
const ops::AnyOp kAdd = PointwiseOp<OpCode::add>{};
const ops::AnyOp kSub = PointwiseOp<OpCode::sub>{};
const ops::AnyOp kMul = PointwiseOp<OpCode::mul>{};
const ops::AnyOp kDiv = PointwiseOp<OpCode::div>{};

ops::AnyOp sum_of(Dims axes) {
    ops::Sum op;
    op.axes = axes;
    return op;
}
ops::AnyOp max_of(Dims axes) {
    ops::Max op;
    op.axes = axes;
    return op;
}

TEST(Group, AChainIsOneKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({8, 64}), y = b.input({1, 64});
    const ValueId z = b.apply(kMul, {b.apply(kExp, {b.apply(kAdd, {x, y})}), x});
    b.hold(z);
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_THAT(steps[0].group.inputs, ElementsAre(x, y));
    EXPECT_THAT(steps[0].group.outputs, ElementsAre(z));
    EXPECT_FALSE(steps[0].group.rows);
}

/// A scale of halves, which a row of the space repeats.
TEST(Group, ARepeatedOperandIsWidenedWhereItIsRead) {
    const auto count_of = [](std::size_t more, bool held, DType from, DType to) {
        SegmentBuilder b;
        ValueId x = b.input({30, 40}, to);
        const ValueId w = b.input({40}, from), wide = b.apply(ops::Cast{to}, {w});
        const ValueId row = b.apply(ops::Reshape{{1, 40}}, {wide});
        for (std::size_t i = 0; i < more; ++i) x = b.apply(kExp, {x});
        // The operand that stands last is joined first.
        const ValueId product = b.apply(kMul, {row, x});
        b.hold(product);
        if (held) b.hold(wide);
        const GroupedSegment grouped = group_segment(b.segment());
        const Group& last = grouped.steps.back().group;
        EXPECT_EQ(last.space, (Shape{30, 40}));
        if (grouped.steps.size() == 1) {
            EXPECT_THAT(last.inputs, UnorderedElementsAre(0u, w));
            EXPECT_EQ(grouped.segment.values[wide].spec.shape, (Shape{30, 40}));
        } else {
            EXPECT_THAT(last.inputs, UnorderedElementsAre(0u, wide));
            EXPECT_EQ(grouped.segment.values[wide].spec.shape, (Shape{40}));
            EXPECT_EQ(grouped.steps[0].group.space, (Shape{40}));
        }
        return grouped.steps.size();
    };
    EXPECT_EQ(count_of(0, false, DType::BF16, DType::F32), 1u);
    EXPECT_EQ(count_of(46, false, DType::F16, DType::F64), 1u);
    // Somebody else needs the numbers; there are more to read; or the kernel has all the operations that it may have.
    EXPECT_EQ(count_of(0, true, DType::BF16, DType::F32), 2u);
    EXPECT_EQ(count_of(0, false, DType::F32, DType::BF16), 2u);
    EXPECT_EQ(count_of(47, false, DType::BF16, DType::F32), 2u);
}

TEST(Group, WhatIsHeldIsWritten) {
    SegmentBuilder b;
    const ValueId x = b.input({64});
    const ValueId y = b.apply(kExp, {x}), z = b.apply(kAdd, {y, y});
    b.hold(y);
    b.hold(z);
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_THAT(steps[0].group.outputs, ElementsAre(y, z));
}

TEST(Group, WhatNobodyNeedsIsNotDone) {
    SegmentBuilder b;
    const ValueId x = b.input({64});
    b.apply(kExp, {x});
    const ValueId z = b.apply(kAdd, {x, x});
    b.hold(z);
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_THAT(steps[0].group.ops, ElementsAre(1u));
}

TEST(Group, TwoChainsMeetInOneKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({64}), y = b.input({64});
    b.hold(b.apply(kMul, {b.apply(kExp, {x}), b.apply(kExp, {y})}));
    EXPECT_EQ(group_segment(b.segment()).steps.size(), 1u);
}

TEST(Group, AStepInBetweenKeepsKernelsApart) {
    // exp -> matmul -> add, and exp -> add directly: one kernel would have to wait for itself.
    SegmentBuilder b;
    const ValueId x = b.input({16, 16});
    const ValueId e = b.apply(kExp, {x});
    const ValueId product = b.apply(ops::MatMul{}, {e, x});
    b.hold(b.apply(kAdd, {product, e}));
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_TRUE(steps[0].is_group());
    EXPECT_FALSE(steps[1].is_group());
    EXPECT_TRUE(steps[2].is_group());
}

TEST(Group, NoCycleThroughGroupsThatGrewLater) {
    // Two independent chains, each fed by the other's matmul: whatever is merged, every step has what it needs before it.
    SegmentBuilder b;
    const ValueId x = b.input({16, 16});
    const ValueId a = b.apply(kExp, {x}), c = b.apply(kMul, {x, x});
    const ValueId from_a = b.apply(ops::MatMul{}, {a, x}), from_c = b.apply(ops::MatMul{}, {c, x});
    const ValueId a2 = b.apply(kAdd, {a, from_c}), c2 = b.apply(kAdd, {c, from_a});
    b.hold(b.apply(kMul, {a2, c2}));
    const auto steps = group_segment(b.segment()).steps;
    std::vector<bool> made(b.segment().values.size(), false);
    made[x] = true;
    std::size_t done = 0;
    for (const GroupedStep& step : steps) {
        const auto ops = step.is_group() ? step.group.ops : std::vector<std::uint32_t>{step.op};
        for (const std::uint32_t op : ops) {
            for (const ValueId input : b.segment().ops[op].inputs) EXPECT_TRUE(made[input]) << "op " << op;
            for (const ValueId output : b.segment().ops[op].outputs) made[output] = true;
            ++done;
        }
    }
    EXPECT_EQ(done, b.segment().ops.size());
}

TEST(Group, SoftmaxFromPrimitivesIsOneKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    const ValueId shifted = b.apply(kSub, {x, b.apply(max_of({1}), {x})});
    const ValueId e = b.apply(kExp, {shifted});
    const ValueId y = b.apply(kDiv, {e, b.apply(sum_of({1}), {e})});
    b.hold(y);
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_TRUE(steps[0].group.rows);
    EXPECT_EQ(steps[0].group.space, (Shape{32, 100}));
    EXPECT_THAT(steps[0].group.inputs, ElementsAre(x));
    EXPECT_THAT(steps[0].group.outputs, ElementsAre(y));
}

// When `scaled` is recorded its step has no rows yet, so `rate` is no number of a row of it; the sum makes it one.
TEST(Group, ANumberOfEachRowJoinsAStepThatHasRowsLater) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 64}), numbers = b.input({32, 1});
    const ValueId rate = b.apply(kDiv, {numbers, numbers});
    const ValueId scaled = b.apply(kMul, {x, rate});
    b.hold(b.apply(kMul, {scaled, b.apply(sum_of({1}), {scaled})}));
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_TRUE(steps[0].group.rows);
    EXPECT_THAT(steps[0].group.inputs, UnorderedElementsAre(x, numbers));
}

TEST(Group, AReductionOfColumnsEndsTheKernelOfItsOperand) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    const ValueId e = b.apply(kExp, {x}), sums = b.apply(sum_of({0}), {e});
    b.hold(b.apply(kDiv, {e, sums}));
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].group.split, 1u);
    EXPECT_FALSE(steps[0].group.rows);
    EXPECT_THAT(steps[0].group.leaving, ElementsAre(1u));
    EXPECT_THAT(steps[0].group.outputs, ElementsAre(e, sums)) << "what leaves comes last";
    EXPECT_THAT(steps[1].group.inputs, ElementsAre(e, sums));
}

TEST(Group, AReductionOfMiddleAxesKeepsThoseBefore) {
    SegmentBuilder b;
    const ValueId x = b.input({4, 8, 1, 100, 70});
    const ValueId e = b.apply(kExp, {x}), sums = b.apply(sum_of({3}), {e}), first = b.apply(sum_of({0}), {e});
    b.hold(sums);
    b.hold(first);
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 2u) << "sums that keep other axes are another kernel";
    EXPECT_EQ(steps[0].group.split, 4u);
    EXPECT_EQ(steps[0].group.kept, 32);
    EXPECT_FALSE(steps[0].group.rows);
    EXPECT_THAT(steps[0].group.leaving, ElementsAre(1u));
    EXPECT_EQ(steps[1].group.kept, 1);
}

TEST(Group, AReductionThatKeepsAxesBetweenOthersRunsAlone) {
    const auto runs_alone = [](Shape shape, Dims axes) {
        SegmentBuilder b;
        b.hold(b.apply(sum_of(axes), {b.apply(kExp, {b.input(shape)})}));
        const auto steps = group_segment(b.segment()).steps;
        return steps.size() == 2 && !steps[1].is_group();
    };
    EXPECT_TRUE(runs_alone({32, 100, 7, 20}, {1, 3}));
    EXPECT_TRUE(runs_alone({3, 5000, 70}, {1})) << "three results are work for three threads";
    EXPECT_FALSE(runs_alone({32, 100, 70}, {1}));
}

TEST(Group, ColumnsAndRowsOfOneSpaceAreOneKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    const ValueId centred = b.apply(kSub, {x, b.apply(max_of({1}), {x})});
    b.hold(b.apply(sum_of({0}), {centred}));
    b.hold(b.apply(sum_of({0, 1}), {centred}));
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_TRUE(steps[0].group.rows);
    EXPECT_THAT(steps[0].group.leaving, ElementsAre(2u, 3u));
}

TEST(Group, ColumnsOfRowsThatAreTooLongAreAnotherKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 10000});
    const ValueId centred = b.apply(kSub, {x, b.apply(max_of({1}), {x})});
    b.hold(b.apply(sum_of({0}), {centred}));
    EXPECT_EQ(group_segment(b.segment()).steps.size(), 2u);
}

TEST(Group, AReductionJoinsThoseThatReadItsOperand) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    b.hold(b.apply(sum_of({0}), {x}));
    b.hold(b.apply(kExp, {x}));
    b.hold(b.apply(max_of({0}), {x}));
    EXPECT_EQ(group_segment(b.segment()).steps.size(), 1u);
}

TEST(Group, WhatMerelyReadsTheSameIsAnotherKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    b.hold(b.apply(kExp, {x}));
    b.hold(b.apply(kMul, {x, x}));
    EXPECT_EQ(group_segment(b.segment()).steps.size(), 2u);
}

TEST(Group, AnAxisOfOneDoesNotCutAKernel) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    const ValueId sums = b.apply(ops::Reshape{{32}}, {b.apply(sum_of({1}), {x})});
    const ValueId roots = b.apply(ops::Reshape{{32, 1}}, {b.apply(kExp, {sums})});
    b.hold(b.apply(kDiv, {x, roots}));
    const GroupedSegment grouped = group_segment(b.segment());
    ASSERT_EQ(grouped.steps.size(), 1u);
    EXPECT_THAT(grouped.steps[0].group.ops, ElementsAre(0u, 2u, 4u));
    EXPECT_EQ(grouped.segment.values[b.segment().ops[2].outputs[0]].spec.shape, (Shape{32, 1}));
}

TEST(Group, WhatIsReadUnderAnotherShapeHasANameOfItsOwn) {
    SegmentBuilder b;
    const ValueId x = b.input({6, 4}), y = b.input({24});
    const ValueId product = b.apply(ops::MatMul{}, {x, b.input({4, 4})});
    b.hold(b.apply(kAdd, {b.apply(ops::Reshape{{24}}, {product}), y}));
    const GroupedSegment grouped = group_segment(b.segment());
    ASSERT_EQ(grouped.steps.size(), 2u);
    const Group& group = grouped.steps[1].group;
    EXPECT_THAT(group.inputs, ElementsAre(product, y));
    EXPECT_GE(group.names[0], b.segment().values.size());
    EXPECT_EQ(grouped.segment.values[group.names[0]].spec.shape, Shape{24});
    EXPECT_EQ(group.names[1], y);
}

TEST(Group, ANumberIsNoStepOfItsOwn) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    ops::Full full;
    full.shape = {1, 1};
    full.dtype = DType::F32;
    b.hold(b.apply(kMul, {x, b.apply(full, {})}));
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_THAT(steps[0].group.constants, ElementsAre(0u));
    EXPECT_THAT(steps[0].group.inputs, ElementsAre(x));
}

TEST(Group, OtherSpacesAreOtherKernels) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100}), bias = b.input({1, 100});
    b.hold(b.apply(kAdd, {x, b.apply(kExp, {bias})}));
    EXPECT_EQ(group_segment(b.segment()).steps.size(), 2u);
}

TEST(Group, ANumberOfNumbersIsMadeByWhoeverNeedsIt) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100});
    ops::Full full;
    full.shape = {32, 1};
    full.dtype = DType::F32;
    const ValueId seven = b.apply(kExp, {b.apply(ops::Reshape{{1, 32}}, {b.apply(full, {})})});
    b.hold(b.apply(kMul, {x, b.apply(ops::Reshape{{32, 1}}, {seven})}));
    const GroupedSegment grouped = group_segment(b.segment());
    ASSERT_EQ(grouped.steps.size(), 1u);
    EXPECT_THAT(grouped.steps[0].group.constants, ElementsAre(0u, 2u));
    EXPECT_THAT(grouped.segment.ops[2].inputs[0], b.segment().ops[0].outputs[0]) << "not the view of it";
}

TEST(Group, AnIndexIntoEachRowIsPartOfTheRow) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100}), at = b.input({32, 1}, DType::I64);
    const ValueId centred = b.apply(kSub, {x, b.apply(max_of({1}), {x})});
    const ValueId picked = b.apply(ops::Gather{1}, {centred, at});
    b.hold(b.apply(ops::Scatter{1, ops::IndexingUpdate::Add}, {centred, at, picked}));
    const auto steps = group_segment(b.segment()).steps;
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_THAT(steps[0].group.inputs, ElementsAre(x, at));
}

TEST(Group, OtherIndicesRunAlone) {
    SegmentBuilder b;
    const ValueId x = b.input({32, 100}), at = b.input({32, 2}, DType::I64), along = b.input({1, 100}, DType::I64);
    const ValueId e = b.apply(kExp, {x});
    b.hold(b.apply(ops::Gather{1}, {e, at}));
    b.hold(b.apply(ops::Gather{0}, {e, along}));
    EXPECT_EQ(group_segment(b.segment()).steps.size(), 3u);
}

}  // namespace
}  // namespace burn::compiler::group_test
