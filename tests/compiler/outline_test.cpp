#include <burn/compiler/outline.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler::outline_test {
namespace {

using ops::OpCode;
using ops::PointwiseOp;

template <class Op>
ops::AnyOp over_rows() {
    Op op;
    op.axes = {1};
    return op;
}

/// Whether the one group of a segment over one input of this shape runs ahead.
bool runs_ahead(const SegmentBuilder& b, const Shape& shape) {
    const GroupedSegment grouped = group_segment(b.segment());
    EXPECT_EQ(grouped.steps.size(), 1u);
    const Layout layouts[] = {Layout::contiguous(shape)};
    return make_outline(grouped.segment, grouped.steps[0].group, layouts, 32).runs_ahead();
}

/// exp(x - max(x)) / sum of these, over rows; with `masked` of random elements of x.
bool softmax_runs_ahead(const Shape& shape, bool masked = false) {
    SegmentBuilder b;
    ValueId x = b.input(shape);
    const ValueId input = x;
    if (masked) {
        const ops::Random law{.shape = shape, .law = RandomLaw::Bernoulli, .a = 0.5};
        x = b.apply(PointwiseOp<OpCode::mul>{}, {input, b.apply(law, {})});
    }
    const ValueId centred = b.apply(PointwiseOp<OpCode::sub>{}, {x, b.apply(over_rows<ops::Max>(), {x})});
    const ValueId powers = b.apply(PointwiseOp<OpCode::exp>{}, {centred});
    b.hold(b.apply(PointwiseOp<OpCode::div>{}, {powers, b.apply(over_rows<ops::Sum>(), {powers})}));
    return runs_ahead(b, shape);
}

TEST(Outline, ManyRowsAreBegunEarly) {
    EXPECT_TRUE(softmax_runs_ahead({1000, 2048})) << "four of them are a cube";
    EXPECT_FALSE(softmax_runs_ahead({1000, 4096})) << "two would not stay in the first cache";
    EXPECT_FALSE(softmax_runs_ahead({1000, 64}, true)) << "there is one array of random numbers";
}

TEST(Outline, NumbersOfTheRowNeedNoWalk) {
    for (const bool shifts : {false, true}) {
        SegmentBuilder b;
        const Shape shape{1000, 64};
        const ValueId x = b.input(shape), highest = b.apply(over_rows<ops::Max>(), {x});
        const ValueId powers = b.apply(PointwiseOp<OpCode::exp>{}, {b.apply(PointwiseOp<OpCode::sub>{}, {x, highest})});
        const ValueId log = b.apply(PointwiseOp<OpCode::log>{}, {b.apply(over_rows<ops::Sum>(), {powers})});
        b.hold(b.apply(PointwiseOp<OpCode::add>{}, {shifts ? x : highest, log}));
        const GroupedSegment grouped = group_segment(b.segment());
        const Layout layouts[] = {Layout::contiguous(shape)};
        const Outline outline = make_outline(grouped.segment, grouped.steps[0].group, layouts, 32);
        EXPECT_EQ(outline.phases.last(), 2u);
        EXPECT_EQ(outline.last_walk(), shifts ? 2u : 1u);
        EXPECT_TRUE(outline.runs_ahead());
    }
}

TEST(Outline, ThreePassesOverManyRowsAreJoined) {
    const auto joins_passes = [](const Shape& shape) {
        SegmentBuilder b;
        const ValueId x = b.input(shape);
        const ValueId centred = b.apply(PointwiseOp<OpCode::sub>{}, {x, b.apply(over_rows<ops::Mean>(), {x})});
        const ValueId square = b.apply(PointwiseOp<OpCode::mul>{}, {centred, centred});
        b.hold(b.apply(PointwiseOp<OpCode::div>{}, {centred, b.apply(over_rows<ops::Mean>(), {square})}));
        const GroupedSegment grouped = group_segment(b.segment());
        const Layout layouts[] = {Layout::contiguous(shape)};
        return make_outline(grouped.segment, grouped.steps.at(0).group, layouts, 64).joins_passes();
    };
    EXPECT_TRUE(joins_passes({1000, 64}));
    EXPECT_TRUE(joins_passes({1000, 2048}));
    EXPECT_FALSE(joins_passes({500, 64})) << "it would take longer to compile than to run";
    EXPECT_FALSE(joins_passes({1000, 4096})) << "they would not stay in the first cache";
}

TEST(Outline, SumsOfColumnsWalkInTheLastPass) {
    SegmentBuilder b;
    const Shape shape{1000, 64};
    const ValueId x = b.input(shape);
    const ValueId centred = b.apply(PointwiseOp<OpCode::sub>{}, {x, b.apply(over_rows<ops::Max>(), {x})});
    ops::Sum columns;
    columns.axes = {0};
    b.hold(b.apply(columns, {centred}));
    const GroupedSegment grouped = group_segment(b.segment());
    ASSERT_EQ(grouped.steps.size(), 1u);
    const Layout layouts[] = {Layout::contiguous(shape)};
    const Outline outline = make_outline(grouped.segment, grouped.steps[0].group, layouts, 32);
    EXPECT_EQ(outline.last_walk(), outline.phases.last());
}

TEST(Outline, RowsOfTwoPassesAreNotBegunEarly) {
    SegmentBuilder b;
    const ValueId x = b.input({1000, 64});
    b.hold(b.apply(PointwiseOp<OpCode::sub>{}, {x, b.apply(over_rows<ops::Max>(), {x})}));
    EXPECT_FALSE(runs_ahead(b, {1000, 64}));
}

/// The lanes and the vectors side by side in which the one group of a segment over one input is walked.
std::pair<int, int> walk_of(const SegmentBuilder& b, const Shape& shape) {
    const GroupedSegment grouped = group_segment(b.segment());
    const Layout layouts[] = {Layout::contiguous(shape)};
    kernel::Builder k("walk");
    const RowWalk walk = make_outline(grouped.segment, grouped.steps.at(0).group, layouts, 64).walk(k);
    return {walk.lanes, walk.unroll};
}

TEST(Outline, HalvesAreWalkedInWiderVectors) {
    const Shape shape{100, 1000};
    const auto squared = [&shape](DType dtype, bool with_sum) {
        SegmentBuilder b;
        const ValueId x = b.input(shape, dtype);
        const ValueId square = b.apply(PointwiseOp<OpCode::mul>{}, {x, x});
        b.hold(with_sum ? b.apply(PointwiseOp<OpCode::add>{}, {square, b.apply(over_rows<ops::Sum>(), {square})})
                        : square);
        return walk_of(b, shape);
    };
    EXPECT_EQ(squared(DType::F32, false), std::pair(16, 4));
    EXPECT_EQ(squared(DType::BF16, false), std::pair(64, 1)) << "one look at what is subnormal";
    EXPECT_EQ(squared(DType::BF16, true), std::pair(32, 2)) << "sums depend on how wide vectors are";
}

}  // namespace
}  // namespace burn::compiler::outline_test
