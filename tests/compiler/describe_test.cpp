#include <burn/compiler/describe.h>

#include "tests/compiler/segment_builder.h"

#include <burn/ops/matmul.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/reduce.h>

#include <gtest/gtest.h>

namespace burn::compiler {
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

TEST(Describe, AnOperationThatRunsAlone) {
    SegmentBuilder builder;
    builder.hold(builder.apply(ops::MatMul{}, {builder.input({2, 3}), builder.input({3, 4})}));
    const auto steps = join_alike(builder.segment(), group_segment(builder.segment()).steps);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_STREQ(describe(steps[0], builder.segment()).text(), "run   matmul()");
}

}  // namespace
}  // namespace burn::compiler
