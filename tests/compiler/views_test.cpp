#include <burn/compiler/views.h>

#include "segment_builder.h"

#include <burn/ops/all_ops.h>
#include <gmock/gmock.h>

namespace burn::compiler::views_test {
namespace {

using ::testing::ElementsAre;

ops::AnyOp neg() { return ops::PointwiseOp<ops::OpCode::neg>{}; }
ops::AnyOp turned() { return ops::Permute{{1, 0}}; }

bool is_product(const ops::AnyOp& op) { return op.code() == ops::OpCode::MatMul; }

/// A segment after its views were moved, as the names of its operations; and where they were recorded.
struct Moved {
    explicit Moved(const SegmentBuilder& builder)
        : segment(builder.segment()), order(move_views(segment, is_product)) {}

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const SegmentOp& op : segment.ops) names.emplace_back(op.op.name());
        return names;
    }

    Segment segment;
    std::vector<std::uint32_t> order;
};

ValueId product(SegmentBuilder& b, std::int64_t rows = 30, std::int64_t columns = 40) {
    return b.apply(ops::MatMul{}, {b.input({rows, 7}), b.input({7, columns})});
}

TEST(Views, StandBehindWhatCanBeAnEpilogue) {
    SegmentBuilder b;
    const ValueId p = product(b), rows = b.apply(ops::Reshape{{30, 5, 8}}, {p});
    const ValueId heads = b.apply(ops::Permute{{1, 0, 2}}, {rows});
    const ValueId halves = b.apply(ops::Cast{DType::BF16}, {heads}), y = b.apply(neg(), {halves});
    b.hold(b.apply(ops::MatMul{}, {y, b.input({5, 8, 3}, DType::BF16)}));
    const Moved moved(b);
    EXPECT_THAT(moved.names(), ElementsAre("matmul", "cast", "neg", "reshape", "permute", "matmul"));
    EXPECT_THAT(moved.order, ElementsAre(0u, 3u, 4u, 1u, 2u, 5u));
    const auto spec = [&](ValueId value) { return moved.segment.values[value].spec; };
    EXPECT_EQ(spec(rows), (TensorSpec{{30, 40}, DType::BF16}));
    EXPECT_EQ(spec(heads), (TensorSpec{{30, 40}, DType::BF16}));
    EXPECT_EQ(spec(halves), (TensorSpec{{30, 5, 8}, DType::BF16}));
    EXPECT_EQ(spec(y), (TensorSpec{{5, 30, 8}, DType::BF16}));
}

TEST(Views, StandBeforeWhatAKernelReads) {
    SegmentBuilder b;
    const ValueId x = b.input({30, 40}), z = b.input({20, 30});
    const ValueId e = b.apply(exp(), {b.apply(neg(), {x})});
    const ValueId part = b.apply(ops::StridedSlice{{{0, 30}, {0, 40, 2}}}, {e});
    b.hold(b.apply(add(), {b.apply(turned(), {part}), z}));
    const Moved moved(b);
    EXPECT_THAT(moved.names(), ElementsAre("slice", "permute", "neg", "exp", "add"));
    EXPECT_THAT(moved.order, ElementsAre(2u, 3u, 0u, 1u, 4u));
    EXPECT_EQ(moved.segment.values[e].spec.shape, (Shape{20, 30}));
}

TEST(Views, CutBeforeTheLastOperations) {
    SegmentBuilder b;
    const ValueId e = b.apply(exp(), {b.input({30, 40})});
    const ValueId part = b.apply(ops::StridedSlice{{{0, 30}, {10, 20, 1}}}, {e});
    b.hold(b.apply(neg(), {part}));
    const Moved moved(b);
    EXPECT_THAT(moved.names(), ElementsAre("slice", "exp", "neg"));
    EXPECT_EQ(moved.segment.values[e].spec.shape, (Shape{30, 10}));
}

TEST(Views, StayWhereSomebodyElseNeedsWhatIsBetween) {
    const auto stays = [](auto more) {
        SegmentBuilder b;
        const ValueId x = b.input({30, 40}), z = b.input({40, 30});
        const ValueId e = b.apply(exp(), {x}), view = b.apply(turned(), {e}), y = b.apply(add(), {view, z});
        b.hold(y);
        more(b, e, view);
        return Moved(b).names() != std::vector<std::string>{"permute", "exp", "add"};
    };
    EXPECT_FALSE(stays([](SegmentBuilder&, ValueId, ValueId) {}));
    EXPECT_TRUE(stays([](SegmentBuilder& b, ValueId e, ValueId) { b.hold(e); }));
    EXPECT_TRUE(stays([](SegmentBuilder& b, ValueId e, ValueId) { b.hold(b.apply(ops::Sort{}, {e})); }));
}

TEST(Views, StayWhereNothingIsGained) {
    const auto names = [](auto program) {
        SegmentBuilder b;
        program(b);
        return Moved(b).names();
    };
    // The kernel that reads the view of a product can do what stands between.
    EXPECT_THAT(names([](SegmentBuilder& b) {
                    const ValueId y = b.apply(exp(), {b.apply(turned(), {product(b)})});
                    b.hold(b.apply(add(), {y, b.input({40, 30})}));
                }),
                ElementsAre("matmul", "permute", "exp", "add"));
    // What feeds a product from outside is a kernel, however it lies.
    EXPECT_THAT(names([](SegmentBuilder& b) {
                    const ValueId y = b.apply(turned(), {b.apply(exp(), {b.input({30, 40})})});
                    b.hold(b.apply(ops::MatMul{}, {y, b.input({30, 5})}));
                }),
                ElementsAre("exp", "permute", "matmul"));
    // Behind an epilogue a view is free.
    EXPECT_THAT(names([](SegmentBuilder& b) {
                    const ValueId y = b.apply(turned(), {b.apply(exp(), {product(b)})});
                    b.hold(b.apply(add(), {y, b.input({40, 30})}));
                }),
                ElementsAre("matmul", "exp", "permute", "add"));
    // A part of a product is less than all of it.
    EXPECT_THAT(names([](SegmentBuilder& b) {
                    const ValueId part = b.apply(ops::StridedSlice{{{0, 30}, {0, 40, 2}}}, {product(b)});
                    b.hold(b.apply(ops::Sort{}, {b.apply(exp(), {part})}));
                }),
                ElementsAre("matmul", "slice", "exp", "sort"));
}

}  // namespace
}  // namespace burn::compiler::views_test
