#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/decorators/autodiff/grad_node.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

#include <vector>

namespace burn {
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

}  // namespace
}  // namespace burn
