#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/memory.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/decorators/autodiff/grad_node.h>
#include <burn/ops/define_op.h>
#include <burn/ops/engine.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

#include <vector>

namespace burn::backward_test {
namespace {

using B = Autodiff<NdArray>;

std::vector<double> values(const TensorData& data) {
    std::vector<double> result;
    for (std::int64_t i = 0; i < data.numel(); ++i) result.push_back(data.at(i));
    return result;
}

TEST(Backward, SumsOverBroadcastAxes) {
    Device<B> device;
    auto a = Tensor<B, 2>::from({{1}, {2}}, device).require_grad();
    auto b = Tensor<B, 2>::from({{0, 1, 2}}, device).require_grad();
    auto loss = (a + b).square().sum();
    auto grads = loss.backward();
    EXPECT_EQ(values(a.grad(grads)->to_data()), (std::vector<double>{12, 18}));
    EXPECT_EQ(values(b.grad(grads)->to_data()), (std::vector<double>{6, 10, 14}));
}

TEST(Backward, AddsUpOverUses) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({3.0}, device).require_grad();
    auto grads = (x * x + x * 2.0).sum().backward();
    EXPECT_EQ(values(x.grad(grads)->to_data()), (std::vector<double>{8}));
}

/// The gradient of the sum of `of(x)`, where x is 0, 1, .. of a shape.
template <class Of>
std::vector<double> gradient(const Shape& shape, Of of) {
    Device<B> device;
    auto leaf = Tensor<B, 1>::arange(0, shape.numel(), device).require_grad();
    const auto x = (leaf * 1.0).template reshape<2>(shape);  // no leaf, whose gradients are added at once
    return values(leaf.grad(of(x).sum().backward())->to_data());
}

TEST(Backward, JoinsPiecesThatMakeUpATensor) {
    const auto rows = [](const Tensor<B, 2>& x) {
        return x.narrow(0, 2, 1) * 3 + x.narrow(0, 0, 1) + x.narrow(0, 1, 1) * 2;
    };
    EXPECT_EQ(gradient({3, 2}, rows), (std::vector<double>{1, 1, 2, 2, 3, 3}));
    const auto columns = [](const Tensor<B, 2>& x) { return x.narrow(1, 1, 1) * 2 + x.narrow(1, 0, 1); };
    EXPECT_EQ(gradient({3, 2}, columns), (std::vector<double>{1, 2, 1, 2, 1, 2}));
    const auto with_whole = [](const Tensor<B, 2>& x) {
        return x.narrow(0, 0, 1) * 2 + x.narrow(0, 1, 1) + x.sum().reshape<2>({1, 1});
    };
    EXPECT_EQ(gradient({2, 1}, with_whole), (std::vector<double>{3, 2}));
}

TEST(Backward, JoinsPiecesOfAnyNumber) {
    const auto each = [](const Tensor<B, 2>& x) {
        auto sum = x.narrow(0, 0, 1);
        for (std::int64_t i = 1; i < 50; ++i) sum = sum + x.narrow(0, i, 1) * static_cast<double>(i + 1);
        return sum;
    };
    std::vector<double> expected;
    for (int i = 1; i <= 50; ++i) expected.push_back(i);
    EXPECT_EQ(gradient({50, 1}, each), expected);
}

TEST(Backward, AddsPiecesThatOverlapOrLeaveGaps) {
    const auto overlapping = [](const Tensor<B, 2>& x) { return x.narrow(1, 0, 2) + x.narrow(1, 1, 2) * 2; };
    EXPECT_EQ(gradient({2, 3}, overlapping), (std::vector<double>{1, 3, 2, 1, 3, 2}));
    const auto gap = [](const Tensor<B, 2>& x) { return x.narrow(1, 0, 1) + x.narrow(1, 2, 1) * 2; };
    EXPECT_EQ(gradient({2, 3}, gap), (std::vector<double>{1, 0, 2, 1, 0, 2}));
    const auto corner = [](const Tensor<B, 2>& x) {
        return x.narrow(0, 0, 1).narrow(1, 0, 1) + x.narrow(0, 1, 1).narrow(1, 1, 1) * 2;
    };
    EXPECT_EQ(gradient({2, 2}, corner), (std::vector<double>{1, 0, 0, 2}));
    const auto twice = [](const Tensor<B, 2>& x) {
        return x.narrow(0, 0, 1) + x.narrow(0, 0, 1) * 2 + x.narrow(0, 1, 1);
    };
    EXPECT_EQ(gradient({2, 2}, twice), (std::vector<double>{3, 3, 1, 1}));
    const auto on_whole = [](const Tensor<B, 2>& x) { return x.narrow(0, 1, 1) * 2 + x.sum().reshape<2>({1, 1}); };
    EXPECT_EQ(gradient({2, 1}, on_whole), (std::vector<double>{1, 3}));
    const auto nothing = [](const Tensor<B, 2>& x) { return x.narrow(0, 1, 0); };
    EXPECT_EQ(gradient({2, 1}, nothing), (std::vector<double>{0, 0}));
}

TEST(Backward, AddsPiecesInSteps) {
    const auto interleaved = [](const Tensor<B, 2>& x) {
        return x.slice({Slice(0, 4, 2)}) + x.slice({Slice(1, 4, 2)}) * 2;
    };
    EXPECT_EQ(gradient({4, 1}, interleaved), (std::vector<double>{1, 2, 1, 2}));
    Device<B> device;
    const auto weights = Tensor<B, 2>::from({{1}, {2}}, device);
    const auto backwards = [&](const Tensor<B, 2>& x) {
        return x.slice({Slice(0, 2, -1)}) * weights + x.slice({Slice(2, 4)}) * weights;
    };
    EXPECT_EQ(gradient({4, 1}, backwards), (std::vector<double>{2, 1, 1, 2}));
}

// What flows to a leaf is whole, and what is joined has gradients of its own.
TEST(Backward, GivesWholeGradientsOfPieces) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({1, 2, 3}, device).require_grad();
    EXPECT_EQ(values(x.grad((x.narrow(0, 0, 1) * 2 + x.narrow(0, 1, 1)).sum().backward())->to_data()),
              (std::vector<double>{2, 1, 0}));
    auto inner = Tensor<B, 1>::from({1, 2, 3}, device).require_grad();
    auto outer = Tensor<Autodiff<B>, 1>::from_inner(inner).require_grad();
    const auto y = outer * outer;
    const auto first = *outer.grad((y.narrow(0, 0, 1) * y.narrow(0, 1, 1) + y.narrow(0, 2, 1)).backward());
    EXPECT_EQ(values(first.to_data()), (std::vector<double>{8, 4, 6}));
    EXPECT_EQ(values(inner.grad(first.sum().backward())->to_data()), (std::vector<double>{8 + 8, 8 + 2, 2}));
}

TEST(Backward, GivesSecondOrderThroughTwoLayers) {
    Device<B> device;
    auto inner = Tensor<B, 1>::from({3.0}, device).require_grad();
    auto outer = Tensor<Autodiff<B>, 1>::from_inner(inner).require_grad();
    auto first = *outer.grad((outer * outer * outer).backward());
    EXPECT_EQ(values(first.to_data()), (std::vector<double>{27}));
    EXPECT_EQ(values(inner.grad(first.backward())->to_data()), (std::vector<double>{18}));
}

TEST(Backward, GradientIsEmptyForWhatTheLossDoesNotUse) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({3.0}, device).require_grad();
    auto unused = Tensor<B, 1>::from({1.0}, device).require_grad();
    EXPECT_FALSE(unused.grad(x.square().backward()).has_value());
}

TEST(Backward, RefusesAConsumedGraph) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({3.0}, device).require_grad();
    auto loss = x.square();
    loss.backward();
    EXPECT_THROW(loss.backward(), GradientError);
}

TEST(Backward, RefusesAnUntrackedTensor) {
    Device<B> device;
    EXPECT_THROW((Tensor<B, 1>::from({3.0}, device).backward()), GradientError);
}

TEST(Backward, DropsTheGraphWithItsLoss) {
    Device<B> device;
    const std::uint64_t nodes = autodiff::GradNode::live_count();
    {
        auto x = Tensor<B, 1>::from({1.0}, device).require_grad();
        auto y = x;
        for (int i = 0; i < 100000; ++i) y = y + x;  // deep enough to overflow the stack of a recursive destructor
        EXPECT_GT(autodiff::GradNode::live_count(), nodes + 100000);
        for (int i = 0; i < 100000; ++i) y = y * 0.5 + y;  // each step is used twice
        for (int i = 0; i < 100000; ++i) y = y * y;
    }
    EXPECT_EQ(autodiff::GradNode::live_count(), nodes);
}

// A forward pass whose result goes away without backward takes its graph and all it saved with it.
TEST(Backward, ForwardPassesAloneKeepNothing) {
    Device<B> device;
    const auto weight = Tensor<B, 2>::ones({64, 64}, device).require_grad();
    const auto x = Tensor<B, 2>::ones({1, 64}, device);
    const auto forward = [&] { return x.matmul(weight).exp().square().sum(); };
    for (int i = 0; i < 10; ++i) forward();
    const std::uint64_t nodes = autodiff::GradNode::live_count();
    const MemoryReport before = memory_report();
    for (int i = 0; i < 10000; ++i) forward();
    EXPECT_EQ(autodiff::GradNode::live_count(), nodes);
    const MemoryReport after = memory_report();
    EXPECT_EQ(after.live_blocks, before.live_blocks);
    EXPECT_EQ(after.live_bytes, before.live_bytes);
    EXPECT_EQ(after.cached_bytes, before.cached_bytes);
}

/// An operation of a user, on Float operands, that nobody gave a gradient.
struct Opaque {
    static constexpr ops::OpInfo info{
        .name = "opaque", .doc = "its operand", .kind = ops::OpKind::Pointwise, .inputs = 1};
    static void fields(auto&, ops::FieldVisitor&) {}
    SpecList infer(std::span<const TensorSpec> inputs) { return {inputs[0]}; }
};

}  // namespace
}  // namespace burn::backward_test

template <>
const burn::ops::OpClass& burn::ops::class_of<burn::backward_test::Opaque>() {
    static constexpr OpClass made = make_op_class<backward_test::Opaque>(OpCode::Custom);
    return made;
}

namespace burn::backward_test {
namespace {

// Training must not go on with a part of the gradient missing.
TEST(Backward, RefusesATrackedOperandOfAnOperationWithoutGradient) {
    Device<B> device;
    const auto x = Tensor<B, 1>::from({1.0, 2.0}, device).require_grad();
    try {
        ops::apply_one(Opaque{}, ops::list_of(x.handle()));
        FAIL() << "the gradient would be missing";
    } catch (const UnsupportedError& error) {
        EXPECT_STREQ(error.what(), "opaque: has no gradient, but an operand is tracked; detach it first");
    }
    EXPECT_EQ(values((x + x).to_data()), (std::vector<double>{2, 4}));  // the error leaves the rest as it is
}

}  // namespace
}  // namespace burn::backward_test
