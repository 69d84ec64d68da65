#include <burn/compiler/prologue.h>

#include "segment_builder.h"

#include <burn/compiler/epilogue.h>
#include <burn/compiler/rows_within.h>
#include <burn/ops/all_ops.h>
#include <gmock/gmock.h>

namespace burn::compiler::prologue_test {
namespace {

using ::testing::ElementsAre;

/// The steps where products and convolutions take both.
std::vector<GroupedStep> steps_of(const SegmentBuilder& b) {
    GroupedSegment grouped = group_segment(b.segment());
    join_epilogues(grouped, takes_groups);
    join_prologues(grouped, b.segment(), takes_groups,
                   [](const ops::AnyOp&, std::span<const TensorSpec>) { return true; });
    return std::move(grouped.steps);
}

bool has_prologue(const std::vector<GroupedStep>& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const GroupedStep& step) { return !step.prologue.ops.empty(); });
}

TEST(Prologue, MakesTheFirstOperandOfAProduct) {
    SegmentBuilder b;
    const ValueId x = b.input({30, 40}), scale = b.input({1, 40}), w = b.input({40, 7});
    const ValueId operand = b.apply(exp(), {b.apply(add(), {x, scale})}), p = b.apply(ops::MatMul{}, {operand, w});
    b.hold(p);
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_TRUE(steps[0].runs_operation());
    EXPECT_FALSE(steps[0].is_group());
    const Group& prologue = steps[0].prologue;
    EXPECT_TRUE(prologue.feeds_product);
    EXPECT_EQ(prologue.split, 1u);
    EXPECT_THAT(prologue.ops, ElementsAre(0u, 1u));
    EXPECT_THAT(prologue.inputs, ElementsAre(x, scale));
    EXPECT_THAT(prologue.outputs, ElementsAre(operand));
}

TEST(Prologue, StandsBesideAnEpilogue) {
    SegmentBuilder b;
    const ValueId p = b.apply(ops::MatMul{}, {b.apply(exp(), {b.input({30, 40})}), b.input({40, 20})});
    b.hold(b.apply(exp(), {p}));
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].group.product, p);
    EXPECT_TRUE(steps[0].prologue.feeds_product);
}

TEST(Prologue, IsAGroupOfRowsWithinThoseOfTheOperand) {
    const auto joins = [](Shape rows, Dims axes) {
        SegmentBuilder b;
        const ValueId x = b.input(rows), sums = b.apply(ops::Sum{{axes}}, {x});
        const ValueId shares = b.apply(ops::PointwiseOp<ops::OpCode::div>{}, {x, sums});
        b.hold(b.apply(ops::MatMul{}, {shares, b.input({rows.back(), 6})}));
        return has_prologue(steps_of(b));
    };
    EXPECT_TRUE(joins({30, 40}, {1}));
    EXPECT_FALSE(joins({30, 8}, {1})) << "rows of eight are no work for a cube";
    EXPECT_FALSE(joins({30, 40}, {0, 1})) << "one row is all of the operand";
}

TEST(Prologue, OfAConvolutionMakesItsImages) {
    SegmentBuilder b;
    const ValueId x = b.apply(exp(), {b.input({2, 3, 9, 9})});
    b.hold(b.apply(ops::Conv{}, {x, b.input({5, 3, 2, 2})}));
    const auto steps = steps_of(b);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].prologue.split, 1u);
}

TEST(Prologue, IsNoneWhereSomebodyElseNeedsTheOperand) {
    const auto joins = [](auto more) {
        SegmentBuilder b;
        const ValueId y = b.apply(exp(), {b.input({30, 30})});
        more(b, y);
        return has_prologue(steps_of(b));
    };
    const auto product = [](SegmentBuilder& b, ValueId y) { b.hold(b.apply(ops::MatMul{}, {y, b.input({30, 5})})); };
    EXPECT_TRUE(joins(product));
    EXPECT_FALSE(joins([&](SegmentBuilder& b, ValueId y) { product(b, y), b.hold(y); }));
    EXPECT_FALSE(joins([&](SegmentBuilder& b, ValueId y) { product(b, y), product(b, y); }));
    EXPECT_FALSE(joins([&](SegmentBuilder& b, ValueId y) { b.hold(b.apply(ops::MatMul{}, {y, y})); }));
    EXPECT_FALSE(joins([&](SegmentBuilder& b, ValueId y) { b.hold(b.apply(ops::MatMul{}, {b.input({30, 30}), y})); }))
        << "the second operand is packed as a whole";
    EXPECT_FALSE(joins([&](SegmentBuilder& b, ValueId y) {
        b.hold(b.apply(exp(), {b.apply(add(), {y, b.apply(ops::MatMul{}, {y, b.input({30, 30})})})}));
    })) << "the epilogue reads it too";
}

TEST(Prologue, RowsAreThoseThatTheProductReads) {
    SegmentBuilder b;
    const ValueId flat = b.apply(exp(), {b.input({30 * 40})});
    const ValueId x = b.apply(ops::Reshape{{30, 40}}, {flat});
    b.hold(b.apply(ops::MatMul{}, {b.apply(add(), {x, b.input({30, 40})}), b.input({40, 5})}));
    for (const GroupedStep& step : steps_of(b)) {
        if (step.prologue.ops.empty()) continue;
        EXPECT_EQ(40 % length_from(step.prologue.space, step.prologue.split), 0);
    }
}

TEST(Prologue, ComputesNoOtherResults) {
    SegmentBuilder b;
    const ValueId x = b.input({30, 40}), e = b.apply(exp(), {x}), y = b.apply(add(), {e, x});
    b.hold(e);
    b.hold(b.apply(ops::MatMul{}, {y, b.input({40, 5})}));
    EXPECT_FALSE(has_prologue(steps_of(b)));
}

TEST(Prologue, IsNoneWhereTheDeviceTakesNone) {
    SegmentBuilder b;
    b.hold(b.apply(ops::MatMul{}, {b.apply(exp(), {b.input({30, 40})}), b.input({40, 5})}));
    GroupedSegment grouped = group_segment(b.segment());
    join_prologues(grouped, b.segment(), takes_groups,
                   [](const ops::AnyOp&, std::span<const TensorSpec>) { return false; });
    EXPECT_EQ(grouped.steps.size(), 2u);
}

}  // namespace
}  // namespace burn::compiler::prologue_test
