#include <burn/compiler/describe.h>

#include "tests/compiler/segment_builder.h"

#include <burn/compiler/epilogue.h>
#include <burn/compiler/prologue.h>
#include <burn/ops/matmul.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/reduce.h>

#include <gtest/gtest.h>

namespace burn::compiler::describe_test {
namespace {

TEST(Describe, AGroupByWhatItReadsWritesAndComputes) {
    SegmentBuilder builder;
    const ValueId x = builder.input({64, 5}), row = builder.input({1, 5});
    const ValueId sum = builder.apply(ops::PointwiseOp<ops::OpCode::add>{}, {x, row});
    const ValueId y = builder.apply(ops::Sum{{{1}}}, {builder.apply(ops::PointwiseOp<ops::OpCode::exp>{}, {sum})});
    builder.hold(y);
    const auto steps = join_alike(builder.segment(), group_segment(builder.segment()).steps);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_STREQ(describe(steps[0], builder.segment()).text(), "rows  [64, 5]: add exp sum; 2 in, 1 out");
    const profile::Cost cost = cost_of(steps[0].groups[0], builder.segment());
    EXPECT_EQ(cost.bytes, 4 * (64 * 5 + 5 + 64));
    EXPECT_EQ(cost.operations, 3 * 64 * 5);
}

TEST(Describe, AnOperationWithItsPrologue) {
    SegmentBuilder builder;
    const ValueId x = builder.apply(ops::PointwiseOp<ops::OpCode::exp>{}, {builder.input({64, 30})});
    const ValueId p = builder.apply(ops::MatMul{}, {x, builder.input({30, 20})});
    builder.hold(builder.apply(ops::PointwiseOp<ops::OpCode::add>{}, {p, builder.input({1, 20})}));
    GroupedSegment grouped = group_segment(builder.segment());
    join_epilogues(grouped, [](const ops::AnyOp&) { return true; });
    join_prologues(grouped, builder.segment(), [](const ops::AnyOp&, std::span<const TensorSpec>) { return true; });
    const auto steps = join_alike(builder.segment(), grouped.steps);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_STREQ(describe(steps[0], builder.segment()).text(),
                 "fused [64, 30]: exp + matmul + [64, 20]: add; 3 in, 1 out");
    const profile::Cost cost = cost_of_joined(steps[0], builder.segment());
    EXPECT_EQ(cost.bytes, 4 * (64 * 30 + 30 * 20 + 64 * 20 + 20 + 64 * 20)) << "the operand is not in memory";
    EXPECT_EQ(cost.operations, 64 * 30 + 2 * 64 * 30 * 20 + 64 * 20);
}

TEST(Describe, AnOperationWithItsEpilogue) {
    SegmentBuilder builder;
    const ValueId p = builder.apply(ops::MatMul{}, {builder.input({64, 3}), builder.input({3, 20})});
    builder.hold(builder.apply(ops::PointwiseOp<ops::OpCode::add>{}, {p, builder.input({1, 20})}));
    GroupedSegment grouped = group_segment(builder.segment());
    join_epilogues(grouped, [](const ops::AnyOp&) { return true; });
    const auto steps = join_alike(builder.segment(), grouped.steps);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_STREQ(describe(steps[0], builder.segment()).text(), "fused matmul + [64, 20]: add; 3 in, 1 out");
    const profile::Cost cost = cost_of_joined(steps[0], builder.segment());
    EXPECT_EQ(cost.bytes, 4 * (64 * 3 + 3 * 20 + 64 * 20 + 20 + 64 * 20));
    EXPECT_EQ(cost.operations, 2 * 64 * 3 * 20 + 64 * 20);
}

TEST(Describe, AnOperationThatRunsAlone) {
    SegmentBuilder builder;
    builder.hold(builder.apply(ops::MatMul{}, {builder.input({2, 3}), builder.input({3, 4})}));
    const auto steps = join_alike(builder.segment(), group_segment(builder.segment()).steps);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_STREQ(describe(steps[0], builder.segment()).text(), "run   matmul()");
}

}  // namespace
}  // namespace burn::compiler::describe_test
