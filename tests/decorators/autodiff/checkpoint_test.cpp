#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/decorators/autodiff/grad_node.h>
#include <burn/tensor/checkpoint.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

namespace burn::checkpoint_test {
namespace {

using B = Autodiff<NdArray>;

double only(const std::optional<Tensor<NdArray, 1>>& gradient) { return gradient->to_data().at(0); }

TEST(Checkpoint, GivesTheGradientsOfThePlainProgram) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({2.0}, device).require_grad();
    auto captured = Tensor<B, 1>::from({3.0}, device).require_grad();
    auto middle = captured * 2.0;  // tracked, and not a leaf: its history lies outside of the region
    int runs = 0;
    const auto region = [&runs, captured, middle](Tensor<B, 1> t) {
        ++runs;
        return t * t * middle + captured * t;
    };
    // y = 2 c x^2 + c x, times x: dy/dx = 6 c x^2 + 2 c x, dy/dc = 2 x^3 + x^2
    auto y = checkpoint(region, x) * x;
    EXPECT_EQ(runs, 1);
    auto grads = y.backward();
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(only(x.grad(grads)), 6 * 3 * 4 + 2 * 3 * 2);
    EXPECT_EQ(only(captured.grad(grads)), 2 * 8 + 4);
}

TEST(Checkpoint, KeepsNothingOfTheRegion) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({1.0}, device).require_grad();
    const auto before = autodiff::GradNode::live_count();
    auto y = checkpoint(
        [](Tensor<B, 1> t) {
            for (int i = 0; i < 100; ++i) t = t * t;
            return t;
        },
        x);
    EXPECT_EQ(autodiff::GradNode::live_count(), before + 1);
}

TEST(Checkpoint, IsUntrackedWhereNothingIsTracked) {
    Device<B> device;
    auto y = checkpoint([](Tensor<B, 1> t) { return t * 2.0; }, Tensor<B, 1>::from({1.5}, device));
    EXPECT_FALSE(y.is_tracked());
    EXPECT_EQ(y.to_data().at(0), 3.0);
}

TEST(Checkpoint, JustRunsOnABackendWithoutGradients) {
    auto y =
        checkpoint([](Tensor<NdArray, 1> t) { return t * 2.0; }, Tensor<NdArray, 1>::from({1.5}, Device<NdArray>()));
    EXPECT_EQ(y.to_data().at(0), 3.0);
}

TEST(Checkpoint, Nests) {
    Device<B> device;
    auto x = Tensor<B, 1>::from({2.0}, device).require_grad();
    const auto cube = [](Tensor<B, 1> t) { return checkpoint([t](Tensor<B, 1> u) { return u * t * t; }, t); };
    auto grads = checkpoint(cube, x).backward();
    EXPECT_EQ(only(x.grad(grads)), 12);
}

TEST(Checkpoint, ALongChainIsNotADeepOne) {
    const auto before = autodiff::GradNode::live_count();
    const auto chain = [](Tensor<B, 1> x) {
        for (int i = 0; i < 50000; ++i) x = checkpoint([](Tensor<B, 1> t) { return t + 1.0; }, x);
        return x;
    };
    {
        auto x = Tensor<B, 1>::from({2.0}, Device<B>()).require_grad();
        auto dropped = chain(x);
        auto grads = chain(x).backward();
        EXPECT_EQ(only(x.grad(grads)), 1);
    }
    EXPECT_EQ(autodiff::GradNode::live_count(), before);
}

}  // namespace
}  // namespace burn::checkpoint_test
