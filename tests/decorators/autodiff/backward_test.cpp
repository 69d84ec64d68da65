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
