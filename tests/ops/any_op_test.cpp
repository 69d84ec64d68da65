#include <burn/ops/any_op.h>

#include <burn/ops/all_ops.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace burn::ops::any_op_test {
namespace {

using Words = std::vector<std::uint64_t>;

Words structural_words(const AnyOp& op) {
    Words words;
    op.structural_words([&](std::uint64_t word) { words.push_back(word); });
    return words;
}

/// Its attributes are too large to live inside.
AnyOp conv_of(const Dims& stride, const Dims& padding) { return Conv{{.stride = stride, .padding = padding}}; }

TEST(AnyOp, RunTimeAttributesHaveNoStructuralWords) {
    EXPECT_EQ(structural_words(PointwiseOp<OpCode::add>{}), Words());
    EXPECT_EQ(structural_words(PointwiseOp<OpCode::clamp>{{1, 2}}), Words());
}

TEST(AnyOp, StructuralAttributesHave) {
    CumSum first, second;
    first.axis = 1;
    second.axis = 2;
    EXPECT_EQ(structural_words(first), Words{1});
    EXPECT_EQ(structural_words(second), Words{2});
}

TEST(AnyOp, ListsDoNotRunIntoEachOther) {
    EXPECT_NE(structural_words(conv_of({1, 2}, {3})), structural_words(conv_of({1}, {2, 3})));
}

TEST(AnyOp, CopiesAreEqualAndTheirOwn) {
    Permute permute;
    permute.axes = {2, 0, 1};
    const AnyOp ops[] = {PointwiseOp<OpCode::clamp>{{-1.5, 7}}, permute, conv_of({2, 2}, {1, 1})};
    for (const AnyOp& op : ops) {
        for (const AnyOp& other : ops) EXPECT_EQ(op == other, &op == &other);
        AnyOp copy = op;
        EXPECT_EQ(copy, op);
        EXPECT_EQ(copy.hash(), op.hash());
        for (const AnyOp& other : ops) {
            copy = other;
            EXPECT_EQ(copy, other);
            const AnyOp& same = copy;
            copy = same;
            EXPECT_EQ(copy, other);
        }
        const AnyOp moved = std::move(copy);
        EXPECT_EQ(moved, ops[2]);
    }
}

TEST(AnyOp, InferenceChangesNoOtherCopy) {
    const AnyOp op = conv_of({}, {});
    AnyOp inferred = op;
    const TensorSpec specs[] = {{{1, 2, 5, 5}, DType::F32}, {{3, 2, 3, 3}, DType::F32}};
    inferred.infer(specs);
    EXPECT_EQ(inferred.as<Conv>().options.stride.size(), 2u);
    EXPECT_TRUE(op.as<Conv>().options.stride.empty());
}

}  // namespace
}  // namespace burn::ops::any_op_test
