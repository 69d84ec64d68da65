#include <burn/compiler/outline.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler {
namespace {

using ops::OpCode;
using ops::PointwiseOp;

/// Whether the one group of a segment over one input of this shape runs ahead.
bool runs_ahead(const SegmentBuilder& b, const Shape& shape) {
    const GroupedSegment grouped = group_segment(b.segment());
    EXPECT_EQ(grouped.steps.size(), 1u);
    const Layout layouts[] = {Layout::contiguous(shape)};
    return make_outline(grouped.segment, grouped.steps[0].group, layouts, 32).runs_ahead();
}

/// x - max(x) over rows; with `masked` of random elements.
bool centring_runs_ahead(const Shape& shape, bool masked = false) {
    SegmentBuilder b;
    ValueId x = b.input(shape);
    const ValueId input = x;
    if (masked) {
        const ops::Random law{.shape = shape, .law = RandomLaw::Bernoulli, .a = 0.5};
        x = b.apply(PointwiseOp<OpCode::mul>{}, {input, b.apply(law, {})});
    }
    ops::Max highest;
    highest.axes = {1};
    b.hold(b.apply(PointwiseOp<OpCode::sub>{}, {x, b.apply(highest, {x})}));
    return runs_ahead(b, shape);
}

TEST(Outline, ManyRowsAreBegunEarly) {
    EXPECT_TRUE(centring_runs_ahead({1000, 2048})) << "four of them are a cube";
    EXPECT_FALSE(centring_runs_ahead({1000, 4096})) << "two would not stay in the first cache";
    EXPECT_FALSE(centring_runs_ahead({1000, 64}, true)) << "there is one array of random numbers";
}

TEST(Outline, ARowOfOnePassIsNotBegunEarly) {
    SegmentBuilder b;
    const ValueId x = b.input({1000, 64});
    ops::Sum sum;
    sum.axes = {0};
    b.hold(b.apply(sum, {b.apply(PointwiseOp<OpCode::exp>{}, {x})}));
    EXPECT_FALSE(runs_ahead(b, {1000, 64}));
}

}  // namespace
}  // namespace burn::compiler
