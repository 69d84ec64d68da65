#include <burn/compiler/memory_plan.h>

#include "segment_builder.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/compiler/plan.h>
#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler::memory_plan_test {
namespace {

/// Products of [30, 40] and weights: a step each.
class MemoryPlanned : public testing::Test {
protected:
    ValueId product(ValueId x, std::int64_t columns) {
        const std::int64_t inner = b.segment().values[x].spec.shape[1];
        return b.apply(ops::MatMul{}, {x, b.input({inner, columns})});
    }
    /// A product with its epilogue.
    ValueId layer(ValueId x, std::int64_t columns) { return b.apply(exp(), {product(x, columns)}); }

    /// A step that needs more memory than the others, so that these may share it as they like.
    void begin_with_much() { b.hold(b.apply(ops::Sum{{{0, 1}}}, {b.apply(ops::Sort{}, {b.input({100, 200})})})); }

    const MemoryPlan& planned() {
        plan_ = std::make_unique<Plan>(b.segment(), CpuEager::compiler_device(0));
        return plan_->memory();
    }

    SegmentBuilder b;

private:
    std::unique_ptr<Plan> plan_;
};

TEST_F(MemoryPlanned, LayersTakeTurns) {
    begin_with_much();
    const ValueId x = b.input({30, 40}), first = layer(x, 32), second = layer(first, 16), third = layer(second, 32);
    b.hold(layer(third, 8));
    const MemoryPlan& memory = planned();
    // An epilogue's result lies where its product did; the first layer is over when the third one begins.
    EXPECT_EQ(memory.bytes, 4u * 30 * (32 + 16));
    EXPECT_EQ(memory.places[first], 0u);
    EXPECT_EQ(memory.places[first - 1], 0u);
    EXPECT_EQ(memory.places[second], 4u * 30 * 32);
    EXPECT_EQ(memory.places[third], 0u);
    EXPECT_EQ(memory.last - memory.first, 3u);
}

TEST_F(MemoryPlanned, NoMoreIsNeededThanWithABlockForEach) {
    // 30 * 48 floats at the second and the third layer; a slab for both would be there beside the last result too.
    const ValueId x = b.input({30, 40}), first = layer(x, 32), second = layer(first, 16), third = layer(second, 32);
    b.hold(layer(third, 16));
    const MemoryPlan& memory = planned();
    EXPECT_EQ(memory.bytes, 4u * 30 * 32);
    EXPECT_EQ(memory.places[first], 0u);
    EXPECT_FALSE(memory.in_slab(second));
    EXPECT_EQ(memory.places[third], 0u);
}

TEST_F(MemoryPlanned, WhatLeavesHasABlockOfItsOwn) {
    const ValueId first = layer(b.input({30, 40}), 32), second = layer(first, 16), third = layer(second, 8);
    b.hold(second);
    b.hold(third);
    b.hold(layer(b.input({30, 40}), 32));
    const MemoryPlan& memory = planned();
    for (std::size_t value = 0; value < b.segment().values.size(); ++value) EXPECT_FALSE(memory.in_slab(value));
    EXPECT_EQ(memory.bytes, 0u);
}

TEST_F(MemoryPlanned, AViewThatLeavesKeepsItsValueOutside) {
    begin_with_much();
    const ValueId first = layer(b.input({40, 40}), 40), view = b.apply(ops::Permute{{1, 0}}, {first});
    b.hold(layer(layer(view, 40), 40));
    EXPECT_TRUE(planned().in_slab(first));
    b.hold(view);
    EXPECT_FALSE(planned().in_slab(first));
}

TEST_F(MemoryPlanned, AViewKeepsThePlaceOfItsValue) {
    begin_with_much();
    const ValueId first = layer(b.input({40, 40}), 40), view = b.apply(ops::Permute{{1, 0}}, {first});
    const ValueId second = layer(b.input({40, 40}), 40), third = layer(second, 40);
    b.hold(b.apply(ops::MatMul{}, {third, view}));
    const MemoryPlan& memory = planned();
    ASSERT_TRUE(memory.in_slab(first));
    EXPECT_EQ(memory.places[view], memory.places[first]);
    EXPECT_NE(memory.places[second], memory.places[first]);
    EXPECT_NE(memory.places[third], memory.places[first]);
}

TEST_F(MemoryPlanned, WhatTheBackendMayOverwriteIsOutside) {
    // An element placed into a tensor that nobody else needs is placed into its memory.
    begin_with_much();
    const ValueId first = layer(b.input({40, 40}), 40), at = b.input({3, 40}, DType::I64);
    const ValueId placed = b.apply(ops::Scatter{0, ops::IndexingUpdate::Add}, {first, at, b.input({3, 40})});
    const ValueId next = layer(placed, 40);
    b.hold(layer(layer(next, 40), 40));
    const MemoryPlan& memory = planned();
    EXPECT_FALSE(memory.in_slab(first));
    EXPECT_FALSE(memory.in_slab(placed));
    EXPECT_TRUE(memory.in_slab(next));
}

TEST_F(MemoryPlanned, AResultDoesNotTakeThePlaceOfAnOperandOfItsProduct) {
    begin_with_much();
    const ValueId first = layer(b.input({40, 40}), 40), second = layer(b.input({40, 40}), 40);
    const ValueId p = b.apply(ops::MatMul{}, {first, second});
    const ValueId y = b.apply(ops::PointwiseOp<ops::OpCode::mul>{}, {b.apply(exp(), {p}), second});
    b.hold(layer(y, 40));
    const MemoryPlan& memory = planned();
    ASSERT_TRUE(memory.in_slab(y));
    EXPECT_EQ(memory.places[y], memory.places[p]);
    EXPECT_NE(memory.places[y], memory.places[second]);
    EXPECT_NE(memory.places[y], memory.places[first]);
}

}  // namespace
}  // namespace burn::compiler::memory_plan_test
