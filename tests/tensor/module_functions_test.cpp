#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/loss.h>
#include <burn/tensor/module_functions.h>

#include "tests/support/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace burn::module_functions_test {
namespace {

using B = NdArray;
using A = Autodiff<NdArray>;
using testing::Each;
using testing::ElementsAre;

/// start, start + 1, .. of some shape.
template <class Backend, std::size_t D>
Tensor<Backend, D> count_up(Sizes<D> shape, float start = 0) {
    TensorData data(shape.shape(), DType::F32);
    for (float& value : data.mutable_values<float>()) value = start++;
    return Tensor<Backend, D>::from_data(data, {});
}

TEST(Conv, GroupsSeeTheirChannelsOnly) {
    const auto x = Tensor<B, 1>::from({1, 2, 3, 4}, {}).reshape<4>({1, 4, 1, 1});
    const auto weight = Tensor<B, 2>::from({{1, 0}, {0, 1}, {1, 1}, {2, -1}}, {}).reshape<4>({4, 2, 1, 1});
    EXPECT_THAT(values(conv2d(x, weight, {.groups = 2})), ElementsAre(1, 2, 7, 2));
    EXPECT_THAT(values(conv1d(x.reshape<3>({1, 4, 1}), weight.reshape<3>({4, 2, 1}), {.groups = 2})),
                ElementsAre(1, 2, 7, 2));
}

TEST(Conv, StridesDilationAndUnevenPadding) {
    const auto x = Tensor<B, 3>::from({{{1, 2, 3, 4, 5}}}, {});
    const auto weight = Tensor<B, 3>::from({{{1, 10}}}, {});
    EXPECT_THAT(values(conv1d(x, weight)), ElementsAre(21, 32, 43, 54));
    EXPECT_THAT(values(conv1d(x, weight, {.stride = {2}})), ElementsAre(21, 43));
    EXPECT_THAT(values(conv1d(x, weight, {.dilation = {3}})), ElementsAre(41, 52));
    EXPECT_THAT(values(conv1d(x, weight, {.padding = {1}})), ElementsAre(10, 21, 32, 43, 54, 5));
    EXPECT_THAT(values(conv1d(x, weight, {.padding = {0}, .padding_behind = {2}})), ElementsAre(21, 32, 43, 54, 5, 0));
    EXPECT_THAT(values(conv1d(x, weight, Tensor<B, 1>::from({0.5}, {}), {.stride = {3}})), ElementsAre(21.5, 54.5));
}

TEST(Conv, ReadsStridedOperands) {
    const auto x = count_up<B>(Sizes<4>{1, 2, 3, 4});
    const auto weight = count_up<B>(Sizes<4>{2, 2, 2, 2});
    const auto expected = values(conv2d(x, weight));
    EXPECT_EQ(expected[0], 0 * 0 + 1 * 1 + 2 * 4 + 3 * 5 + 4 * 12 + 5 * 13 + 6 * 16 + 7 * 17);
    const auto turned = conv2d(x.transpose(), weight.transpose());
    EXPECT_EQ(values(turned.transpose()), expected);
}

TEST(ConvGradient, WhenTheStrideDoesNotDivide) {
    const auto x = Tensor<A, 4>::zeros({1, 1, 8, 8}, {}).require_grad();
    const auto weight = Tensor<A, 4>::ones({1, 1, 3, 3}, {}).require_grad();
    const auto y = conv2d(x, weight, {.stride = {2, 2}, .padding = {1, 1}});
    const auto gradient = *x.grad(y.sum().backward());
    EXPECT_EQ(gradient.shape(), (Shape{1, 1, 8, 8}));
    const auto at = values(gradient);
    double total = 0;
    for (const double value : at) total += value;
    EXPECT_EQ(total, 121);
    EXPECT_EQ(at[0], 1);
    EXPECT_EQ(at[9], 4);
    EXPECT_EQ(at[63], 1);
}

TEST(ConvGradient, OfEveryOperand) {
    // y = [x0 w0 + x1 w1 + b, x1 w0 + x2 w1 + b]; L = y0 + 2 y1
    const auto x = Tensor<A, 3>::from({{{1, 2, 3}}}, {}).require_grad();
    const auto weight = Tensor<A, 3>::from({{{5, 7}}}, {}).require_grad();
    const auto bias = Tensor<A, 1>::from({1.0}, {}).require_grad();
    const auto loss = (conv1d(x, weight, bias) * Tensor<A, 3>::from({{{1, 2}}}, {})).sum();
    const auto gradients = loss.backward();
    EXPECT_THAT(values(*x.grad(gradients)), ElementsAre(5, 17, 14));
    EXPECT_THAT(values(*weight.grad(gradients)), ElementsAre(5, 8));
    EXPECT_THAT(values(*bias.grad(gradients)), ElementsAre(3));
}

TEST(ConvGradient, IsDifferentiableAgain) {
    // y = x0 w0 + x1 w1 for one window: dy/dx = w, and the sum of its squares has gradient 2 w with respect to w.
    auto weight = Tensor<A, 3>::from({{{5, 7}}}, {}).require_grad();
    const auto outer_weight = Tensor<Autodiff<A>, 3>::from_inner(weight).require_grad();
    const auto x = Tensor<Autodiff<A>, 3>::from({{{1, 2}}}, {}).require_grad();
    const auto dx = *x.grad(conv1d(x, outer_weight).sum().backward());
    EXPECT_THAT(values(*weight.grad(dx.square().sum().backward())), ElementsAre(10, 14));
}

TEST(Conv, RefusesWhatDoesNotFit) {
    const auto x = Tensor<B, 4>::zeros({1, 4, 5, 5}, {});
    const auto weight = [](std::int64_t out, std::int64_t in, std::int64_t kernel) {
        return Tensor<B, 4>::zeros({out, in, kernel, kernel}, {});
    };
    EXPECT_THROW(conv2d(x, weight(2, 3, 3)), ShapeError);
    EXPECT_THROW(conv2d(x, weight(2, 4, 6)), ShapeError);
    EXPECT_THROW(conv2d(x, weight(3, 2, 3), {.groups = 2}), ShapeError);
    EXPECT_THROW(conv2d(x, weight(2, 4, 3), {.stride = {0, 1}}), ArgumentError);
    EXPECT_THROW(conv2d(x, weight(2, 4, 3), {.groups = 0}), ArgumentError);
    EXPECT_THROW(conv2d(x, weight(2, 4, 3), {.padding = {1}}), ArgumentError);
    EXPECT_THROW(conv2d(x, weight(2, 4, 3), Tensor<B, 1>::zeros({3}, {})), ShapeError);
}

TEST(MaxPool, PaddingIsNeverChosen) {
    const auto x = Tensor<B, 3>::from({{{-5, -4, -3, -2, -1}}}, {});
    const PoolOptions options{.kernel = {2}, .stride = {2}, .padding = {1}, .ceil_mode = true};
    EXPECT_THAT(values(max_pool1d(x, options)), ElementsAre(-5, -3, -1));
    EXPECT_THAT(values(max_pool1d_with_indices(x, options).second), ElementsAre(0, 2, 4));
}

TEST(MaxPool, FirstOfEqualsAndNan) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const auto plane = Tensor<B, 2>::from({{1.0, 7.0, 7.0, 0.0}, {7.0, 2.0, kNan, 9.0}}, {});
    const auto x = Tensor<A, 4>::from_inner(plane.reshape<4>({1, 1, 2, 4})).require_grad();
    const auto [top, at] = max_pool2d_with_indices(x, {.kernel = {2, 2}});
    EXPECT_THAT(values(at), ElementsAre(1, 6));
    EXPECT_EQ(values(top)[0], 7);
    EXPECT_TRUE(std::isnan(values(top)[1]));
    EXPECT_THAT(values(*x.grad(top.sum().backward())), ElementsAre(0, 1, 0, 0, 0, 0, 1, 0));
}

TEST(MaxPool, DilationAndOverlap) {
    const auto x = Tensor<A, 3>::from({{{4, 9, 2, 3, 8}}}, {}).require_grad();
    const auto y = max_pool1d(x, {.kernel = {2}, .stride = {1}, .dilation = {2}});
    EXPECT_THAT(values(y), ElementsAre(4, 9, 8));
    const auto overlapping = max_pool1d(x, {.kernel = {3}, .stride = {1}});
    EXPECT_THAT(values(*x.grad(overlapping.sum().backward())), ElementsAre(0, 2, 0, 0, 1));
}

TEST(AvgPool, CountsPaddingOrNot) {
    const auto x = Tensor<B, 3>::from({{{1, 2, 3, 4, 5}}}, {});
    EXPECT_THAT(values(avg_pool1d(x, {.kernel = {2}})), ElementsAre(1.5, 3.5));
    EXPECT_THAT(values(avg_pool1d(x, {.kernel = {2}, .ceil_mode = true})), ElementsAre(1.5, 3.5, 5));
    EXPECT_THAT(values(avg_pool1d(x, {.kernel = {2}, .padding = {1}})), ElementsAre(0.5, 2.5, 4.5));
    EXPECT_THAT(values(avg_pool1d(x, {.kernel = {2}, .padding = {1}, .count_include_pad = false})),
                ElementsAre(1, 2.5, 4.5));
}

TEST(AvgPool, TwoAxesAndTheirGradient) {
    const auto x = count_up<A>(Sizes<4>{1, 1, 2, 4}).require_grad();
    const auto y = avg_pool2d(x, {.kernel = {2, 3}, .stride = {1, 1}});
    EXPECT_THAT(values(y), ElementsAre(3, 4));
    const auto gradient = values(*x.grad((y * Tensor<A, 4>::full({1, 1, 1, 2}, 6, {})).sum().backward()));
    EXPECT_THAT(gradient, near({1, 2, 2, 1, 1, 2, 2, 1}, 1e-6));
}

TEST(AdaptiveAvgPool, WindowsOverlapWhereSizesDoNotDivide) {
    const auto x = Tensor<A, 3>::from({{{1, 2, 3, 4, 5}}}, {}).require_grad();
    const auto y = adaptive_avg_pool1d(x, {3});  // [0, 2), [1, 4), [3, 5)
    EXPECT_THAT(values(y), near({1.5, 3, 4.5}, 1e-6));
    EXPECT_THAT(values(*x.grad(y.sum().backward())), near({0.5, 0.5 + 1.0 / 3, 1.0 / 3, 1.0 / 3 + 0.5, 0.5}, 1e-6));
}

TEST(AdaptiveAvgPool, TwoAxes) {
    const auto x = count_up<A>(Sizes<4>{2, 1, 4, 4}).require_grad();
    const auto y = adaptive_avg_pool2d(x, {2, 2});
    EXPECT_THAT(values(y), ElementsAre(2.5, 4.5, 10.5, 12.5, 18.5, 20.5, 26.5, 28.5));
    EXPECT_THAT(values(*x.grad(y.sum().backward())), Each(0.25));
    EXPECT_THAT(values(adaptive_avg_pool2d(x, {1, 1})), ElementsAre(7.5, 23.5));
    EXPECT_THROW(adaptive_avg_pool2d(x, {0, 2}), ShapeError);
}

TEST(Pool, RefusesWhatDoesNotFit) {
    const auto x = Tensor<B, 3>::zeros({1, 1, 5}, {});
    EXPECT_THROW(avg_pool1d(x, {.kernel = {6}}), ShapeError);
    EXPECT_THROW(avg_pool1d(x, {}), ArgumentError);
    EXPECT_THROW(avg_pool1d(x, {.kernel = {2}, .padding = {2}}), ArgumentError);
    EXPECT_THROW(avg_pool1d(x, {.kernel = {2}, .stride = {0}}), ArgumentError);
    EXPECT_THROW(avg_pool1d(x, {.kernel = {2}, .dilation = {2}}), ArgumentError);
}

TEST(LayerNorm, RowsHaveMeanZeroAndVarianceOne) {
    const auto x = Tensor<A, 2>::from({{1, 2, 6}, {4, 4, 4}}, {}).require_grad();
    const auto gamma = Tensor<A, 1>::from({1, 2, 3}, {}).require_grad();
    const auto beta = Tensor<A, 1>::from({0.5, 0.0, -0.5}, {}).require_grad();
    const double scale = 1 / std::sqrt(14.0 / 3);  // mean 3, deviations -2 -1 3
    const auto y = layer_norm(x, gamma, beta, 0.0);
    const auto first = values(y);
    EXPECT_THAT((std::vector<double>{first[0], first[1], first[2]}),
                near({-2 * scale + 0.5, -2 * scale, 9 * scale - 0.5}));
    const auto gradients = layer_norm(x, gamma, beta, 1.0).sum().backward();
    EXPECT_THAT(values(*beta.grad(gradients)), ElementsAre(2, 2, 2));
    const double root = std::sqrt(17.0 / 3);
    EXPECT_THAT(values(*gamma.grad(gradients)), near({-2 / root, -1 / root, 3 / root}));
    // g = gamma: mean 2, n = (-2, -1, 3) / root, mean of g n = 5 / (3 root)
    EXPECT_THAT(values(*x.grad(gradients)),
                near({(-1 + 10 / 17.0) / root, 5 / 17.0 / root, (1 - 15 / 17.0) / root, -1, 0, 1}));
    EXPECT_THAT(values(layer_norm(x, gamma, 1.0)), near({-2 / root, -2 / root, 9 / root, 0, 0, 0}));
}

TEST(BatchNorm, UsesTheStatisticsGiven) {
    const auto x = Tensor<A, 3>::from({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {}).require_grad();
    const auto vector = [](double a, double b) { return Tensor<A, 1>::from({a, b}, {}).require_grad(); };
    const auto gamma = vector(2, 3);
    const auto beta = vector(0.5, -1);
    const auto mean = vector(1, 4);
    const auto var = vector(3, 0);
    const auto y = batch_norm(x, gamma, beta, mean, var, 1.0);  // scales 1/2, 1
    EXPECT_THAT(values(y), ElementsAre(0.5, 1.5, -4, -1, 4.5, 5.5, 8, 11));
    const auto gradients = y.sum().backward();
    EXPECT_THAT(values(*x.grad(gradients)), ElementsAre(1, 1, 3, 3, 1, 1, 3, 3));
    EXPECT_THAT(values(*gamma.grad(gradients)), ElementsAre(5, 6));
    EXPECT_THAT(values(*beta.grad(gradients)), ElementsAre(4, 4));
    EXPECT_THAT(values(*mean.grad(gradients)), ElementsAre(-4, -12));
    // -1/2 sum of (x - mean) gamma / (var + 1)^(3/2): -1/2 * 10 * 2 / 8, -1/2 * 6 * 3
    EXPECT_THAT(values(*var.grad(gradients)), ElementsAre(-1.25, -9));
}

TEST(CrossEntropy, OfHugeLogits) {
    const auto x = Tensor<A, 2>::from({{1000.0, 0.0, -1000.0}, {1000.0, 0.0, -1000.0}}, {}).require_grad();
    const auto losses = loss::cross_entropy(x, Tensor<A, 1, Int>::from({2, 0}, {}));
    EXPECT_THAT(values(losses), ElementsAre(2000, 0));
    EXPECT_THAT(values(*x.grad(losses.sum().backward())), ElementsAre(1, 0, -1, 0, 0, 0));
    const auto equal = Tensor<A, 2>::from({{1e8, 1e8}}, {}).require_grad();
    const auto half = loss::cross_entropy(equal, Tensor<A, 1, Int>::from({1}, {}));
    EXPECT_NEAR(values(half)[0], 0.693147, 1e-6);
    EXPECT_THAT(values(*equal.grad(half.backward())), near({0.5, -0.5}));
}

TEST(CrossEntropy, OfHugeLogitsInEveryType) {
    for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
        const double huge = dtype == DType::F16 ? 60000 : 1e8;
        const auto equal = Tensor<A, 2>::from({{huge, huge}}, {}).cast(dtype).require_grad();
        const auto half = loss::cross_entropy(equal, Tensor<A, 1, Int>::from({1}, {}));
        EXPECT_NEAR(values(half)[0], 0.693147, 1e-2) << name_of(dtype);
        EXPECT_THAT(values(*equal.grad(half.backward())), ElementsAre(0.5, -0.5)) << name_of(dtype);
        const auto apart = Tensor<A, 2>::from({{1000.0, 0.0, -1000.0}, {1000.0, 0.0, -1000.0}}, {}).cast(dtype);
        const auto losses = loss::cross_entropy(apart, Tensor<A, 1, Int>::from({2, 0}, {}));
        EXPECT_THAT(values(losses), ElementsAre(2000, 0)) << name_of(dtype);
    }
}

TEST(CrossEntropy, AgainstProbabilities) {
    const auto x = Tensor<B, 2>::from({{0, 0}, {1000, 0}}, {});
    const auto probabilities = Tensor<B, 2>::from({{0.25, 0.75}, {0.5, 0.5}}, {});
    EXPECT_NEAR(values(loss::cross_entropy_with_logits(x, probabilities))[0], (0.693147 + 500) / 2, 1e-3);
}

TEST(CrossEntropy, RefusesATargetThatIsNoClass) {
    const auto x = Tensor<B, 2>::zeros({2, 3}, {});
    EXPECT_THROW(loss::cross_entropy(x, Tensor<B, 1, Int>::from({0, 3}, {})), IndexError);
    EXPECT_THROW(loss::cross_entropy(x, Tensor<B, 1, Int>::from({-1, 0}, {})), IndexError);
}

TEST(Linear, MapsTheLastAxis) {
    const auto x = Tensor<A, 3>::from({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {}).require_grad();
    const auto weight = Tensor<A, 2>::from({{1, 0, 2}, {0, 1, -1}}, {}).require_grad();
    const auto bias = Tensor<A, 1>::from({0.5, 0.0, 1.0}, {}).require_grad();
    const auto y = linear(x, weight, bias);
    EXPECT_THAT(values(y), ElementsAre(1.5, 2, 1, 3.5, 4, 3, 5.5, 6, 5, 7.5, 8, 7));
    EXPECT_THAT(values(linear(x, weight)), ElementsAre(1, 2, 0, 3, 4, 2, 5, 6, 4, 7, 8, 6));
    const auto gradients = y.sum().backward();
    EXPECT_THAT(values(*x.grad(gradients)), ElementsAre(3, 0, 3, 0, 3, 0, 3, 0));
    EXPECT_THAT(values(*weight.grad(gradients)), ElementsAre(16, 16, 16, 20, 20, 20));
    EXPECT_THAT(values(*bias.grad(gradients)), ElementsAre(4, 4, 4));
    EXPECT_THAT(values(linear(Tensor<B, 1>::from({1, 2}, {}), Tensor<B, 2>::from({{1, 0}, {0, 3}}, {}).transpose())),
                ElementsAre(1, 6));
    EXPECT_THROW(linear(x, Tensor<A, 2>::zeros({3, 2}, {})), ShapeError);
    EXPECT_THROW(linear(x, weight, Tensor<A, 1>::zeros({2}, {})), ShapeError);
}

}  // namespace
}  // namespace burn::module_functions_test
