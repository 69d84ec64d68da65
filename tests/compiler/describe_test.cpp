#include <burn/compiler/describe.h>

#include "tests/compiler/segment_builder.h"

#include <burn/compiler/epilogue.h>
#include <burn/compiler/prologue.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/reduce.h>
#include <burn/ops/scan.h>
#include <burn/ops/softmax.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
    join_prologues(
        grouped, builder.segment(), [](const ops::AnyOp&) { return true; },
        [](const ops::AnyOp&, std::span<const TensorSpec>) { return true; });
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

// ---- why steps are apart

std::vector<std::string> lines_of(const SegmentBuilder& builder) {
    GroupedSegment grouped = group_segment(builder.segment());
    join_epilogues(grouped, takes_groups);
    // As of backends that make the rows of one product.
    join_prologues(
        grouped, builder.segment(), takes_groups,
        [](const ops::AnyOp&, std::span<const TensorSpec> operands) { return operands[1].shape.rank() == 2; });
    std::vector<std::string> lines;
    for (const PlanStep& step : join_alike(builder.segment(), grouped.steps)) {
        lines.emplace_back(describe(step, builder.segment()).text());
        lines.back() += describe_apart(step, builder.segment()).text();
    }
    return lines;
}

/// The lines of one operation on one operand.
std::vector<std::string> lines_of(const ops::AnyOp& op, const Shape& shape) {
    SegmentBuilder builder;
    builder.hold(builder.apply(op, {builder.input(shape)}));
    return lines_of(builder);
}

using Lines = std::vector<std::string>;

TEST(DescribeApart, AnOperationThatTheBackendRuns) {
    EXPECT_EQ(lines_of(ops::CumSum{1}, {4, 5}), Lines{"run   cumsum(axis=1); fused kernels do not compute it"});
    EXPECT_EQ(lines_of(ops::Softmax{0}, {4, 5}),
              Lines{"run   softmax(axis=0, quiet=false); kernels compute it over "
                    "the last axes, where their rows are neither short nor few but long"});
    EXPECT_EQ(lines_of(ops::Permute{{1, 0}}, {4, 5}),
              Lines{"run   permute(axes=[1, 0]); a view, which takes no kernel"});
    EXPECT_EQ(lines_of(ops::Sum{{{1}}}, {8, 1 << 16}),
              Lines{"run   sum(axes=[1]); few long rows, which the backend spreads over all threads"});
    EXPECT_EQ(lines_of(ops::Sum{{{1}}}, {2, 1 << 10, 1 << 10}),
              Lines{"run   sum(axes=[1]); too few elements before or after the axes that it reduces"});
    EXPECT_EQ(lines_of(ops::Sum{{{0, 2}}}, {4, 5, 6}),
              Lines{"run   sum(axes=[0, 2]); kernels do not reduce axes on both sides of kept ones, or of size 1"});
    EXPECT_EQ(lines_of(ops::ArgMax{0}, {4, 5}),
              Lines{"run   argmax(axis=0); kernels find places of extrema in rows only"});
    EXPECT_EQ(lines_of(ops::ArgMax{1}, {4, 5}),
              Lines{"run   argmax(axis=1); alone, the backend finds places of extrema faster"});
}

TEST(DescribeApart, AKernelWithoutNeighbours) {
    EXPECT_EQ(lines_of(exp(), {4, 5}), Lines{"fused [4, 5]: exp; 1 in, 1 out; nothing to fuse it with"});
}

TEST(DescribeApart, AKernelThatWaitsForASum) {
    SegmentBuilder builder;
    const ValueId x = builder.input({1 << 10, 1 << 10});
    const ValueId sum = builder.apply(ops::Sum{{{0}}}, {x});
    builder.hold(builder.apply(add(), {x, sum}));
    EXPECT_EQ(lines_of(builder),
              (Lines{"sums  [1024, 1024]: sum; 1 in, 1 out",
                     "fused [1024, 1024]: add; 2 in, 1 out; apart from sum, whose result is whole only when its kernel "
                     "has ended"}));
}

TEST(DescribeApart, KernelsThatWouldBeTooLarge) {
    SegmentBuilder many_operands, many_operations;
    ValueId y = many_operands.input({4, 5});
    for (int i = 0; i < 16; ++i) y = many_operands.apply(add(), {y, many_operands.input({4, 5})});
    many_operands.hold(y);
    const Lines lines = lines_of(many_operands);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[1], "fused [4, 5]: add; 2 in, 1 out; apart from add: more than 16 operands");

    ValueId z = many_operations.input({4, 5});
    for (int i = 0; i < 49; ++i) z = many_operations.apply(exp(), {z});
    many_operations.hold(z);
    ASSERT_EQ(lines_of(many_operations).size(), 2u);
    EXPECT_EQ(lines_of(many_operations)[1], "fused [4, 5]: exp; 1 in, 1 out; apart from exp: more than 48 operations");
}

TEST(DescribeApart, AProductAndWhatIsNoPartOfIt) {
    SegmentBuilder alone, summed, held, second;
    const auto product = [](SegmentBuilder& b, ValueId lhs, ValueId rhs) { return b.apply(ops::MatMul{}, {lhs, rhs}); };
    alone.hold(product(alone, alone.input({64, 30}), alone.input({30, 20})));
    EXPECT_EQ(lines_of(alone), Lines{"run   matmul(); no kernel reads its result"});

    const ValueId p = product(summed, summed.input({64, 30}), summed.input({30, 20}));
    summed.hold(summed.apply(ops::Sum{{{0}}}, {p}));
    EXPECT_EQ(lines_of(summed)[0], "run   matmul(); apart from sum, whose kernel sums columns or everything");

    const ValueId x = held.apply(exp(), {held.input({64, 30})});
    held.hold(x);
    held.hold(product(held, x, held.input({30, 20})));
    EXPECT_EQ(lines_of(held)[0], "fused [64, 30]: exp; 1 in, 1 out; apart from matmul: the program holds its operand");

    const ValueId w = second.apply(exp(), {second.input({30, 20})});
    second.hold(product(second, second.input({64, 30}), w));
    EXPECT_EQ(lines_of(second)[0],
              "fused [30, 20]: exp; 1 in, 1 out; apart from matmul, which only takes its first operand so");

    SegmentBuilder short_rows;  // whose product has a prologue, but no epilogue
    const ValueId narrow =
        product(short_rows, short_rows.apply(exp(), {short_rows.input({64, 30})}), short_rows.input({30, 8}));
    short_rows.hold(short_rows.apply(exp(), {narrow}));
    EXPECT_EQ(lines_of(short_rows)[0],
              "fused [64, 30]: exp + matmul; 2 in, 1 out; apart from exp, whose rows are short or not the product's");

    SegmentBuilder batch;
    const ValueId v = batch.apply(exp(), {batch.input({4, 64, 30})});
    batch.hold(product(batch, v, batch.input({4, 30, 20})));
    EXPECT_EQ(lines_of(batch)[0],
              "fused [4, 64, 30]: exp; 1 in, 1 out; apart from matmul, which takes no operand made by rows");
}

}  // namespace
}  // namespace burn::compiler::describe_test
