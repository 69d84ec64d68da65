#include <burn/compiler/phases.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::compiler::phases_test {
namespace {

using ops::OpCode;
using ops::PointwiseOp;

template <class Op>
ops::AnyOp over_rows() {
    Op op;
    op.axes = {1};
    return op;
}

/// The values that each pass of the one group keeps.
std::vector<std::vector<ValueId>> kept(const Segment& segment, bool may_keep = true) {
    const GroupedSegment grouped = group_segment(segment);
    EXPECT_EQ(grouped.steps.size(), 1u);
    std::vector<std::vector<ValueId>> result;
    for (const Phases::Pass& pass : find_phases(grouped.segment, grouped.steps[0].group, may_keep).passes)
        result.push_back(pass.keeps);
    return result;
}

/// exp(x - max(x)) / sum of these, over rows: the exponentials, and what they are divided by.
struct Softmax {
    SegmentBuilder b;
    ValueId x, powers;

    explicit Softmax(DType dtype) : x(b.input({64, 100}, dtype)) {
        const ValueId highest = b.apply(over_rows<ops::Max>(), {x});
        powers = b.apply(PointwiseOp<OpCode::exp>{}, {b.apply(PointwiseOp<OpCode::sub>{}, {x, highest})});
        const ValueId total = b.apply(over_rows<ops::Sum>(), {powers});
        b.hold(b.apply(PointwiseOp<OpCode::div>{}, {powers, total}));
    }
};

TEST(Phases, WhatIsDearWaitsForTheNextPass) {
    const Softmax softmax(DType::F32);
    using Keeps = std::vector<std::vector<ValueId>>;
    EXPECT_EQ(kept(softmax.b.segment()), (Keeps{{}, {softmax.powers}, {}})) << "x is loaded again";
    EXPECT_EQ(kept(softmax.b.segment(), false), (Keeps{{}, {}, {}})) << "a long row has no room";
}

TEST(Phases, HalvesAreWidenedOnce) {
    for (const DType dtype : {DType::BF16, DType::F16}) {
        const Softmax softmax(dtype);
        using Keeps = std::vector<std::vector<ValueId>>;
        EXPECT_EQ(kept(softmax.b.segment()), (Keeps{{softmax.x}, {softmax.powers}, {}}));
    }
}

TEST(Phases, HalvesLeaveRoomForWhatIsDear) {
    SegmentBuilder b;
    ValueId sum = b.input({64, 100});
    for (int i = 0; i < 5; ++i) {
        const ValueId half = b.apply(ops::Cast{DType::F32}, {b.input({64, 100}, DType::BF16)});
        sum = b.apply(PointwiseOp<OpCode::add>{}, {sum, half});
    }
    const ValueId power = b.apply(PointwiseOp<OpCode::exp>{}, {sum});
    const ValueId total = b.apply(over_rows<ops::Sum>(), {b.apply(PointwiseOp<OpCode::mul>{}, {power, sum})});
    b.hold(b.apply(PointwiseOp<OpCode::div>{}, {b.apply(PointwiseOp<OpCode::add>{}, {power, sum}), total}));
    const std::vector<ValueId> keeps = kept(b.segment())[0];
    EXPECT_EQ(keeps.size(), 3u);
    EXPECT_THAT(keeps, testing::Contains(power));
}

TEST(Phases, WhatOnePassReadsIsNotKept) {
    SegmentBuilder b;
    const ValueId x = b.input({64, 100}), weight = b.input({64, 100}, DType::BF16);
    const ValueId total = b.apply(over_rows<ops::Sum>(), {x});
    b.hold(b.apply(PointwiseOp<OpCode::mul>{}, {b.apply(ops::Cast{DType::F32}, {weight}), total}));
    EXPECT_EQ(kept(b.segment()), (std::vector<std::vector<ValueId>>{{}, {}}));
}

}  // namespace
}  // namespace burn::compiler::phases_test
