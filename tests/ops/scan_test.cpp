#include <burn/ops/scan.h>

#include <burn/ops/engine.h>

#include "tests/support/tensors.h"

#include <cmath>
#include <limits>

namespace burn::scan_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(CumSum, AddsAlongAnyAxis) {
    const auto x = Tensor<B, 2>::from({{1, 2, 3}, {4, 5, 6}}, device);
    EXPECT_EQ(values(x.cumsum(1)), (Values{1, 3, 6, 4, 9, 15}));
    EXPECT_EQ(values(x.cumsum(-2)), (Values{1, 2, 3, 5, 7, 9}));
    EXPECT_EQ(values(x.transpose().cumsum(0)), (Values{1, 4, 3, 9, 6, 15}));
    EXPECT_EQ(values(x.flip({1}).cumsum(1)), (Values{3, 5, 6, 6, 11, 15}));
    EXPECT_EQ(values(x.slice({Slice(), {0, 3, 2}}).cumsum(1)), (Values{1, 4, 4, 10}));
    EXPECT_EQ((Tensor<B, 2>::zeros({2, 0}, device).cumsum(1).shape()), (Shape{2, 0}));
}

TEST(CumSum, OfIntegersWrapsAndKeepsTheType) {
    const auto x = Tensor<B, 1, Int>::from({100, 100, 100}, device);
    EXPECT_EQ(x.cast(DType::U8).cumsum(0).to_data(), TensorData::from<std::uint8_t>({100, 200, 44}));
    EXPECT_EQ(x.cast(DType::I8).cumsum(0).to_data(), TensorData::from<std::int8_t>({100, -56, 44}));
}

TEST(CumSum, OfHalvesIsKeptInAWiderType) {
    const auto x = Tensor<B, 1>::ones({4096}, device);
    EXPECT_EQ(values(x.cast(DType::F16).cumsum(0))[4095], 4096);  // f16 alone would stop at 2048
    EXPECT_EQ(values(x.cast(DType::BF16).cumsum(0))[4095], 4096);
}

TEST(CumSum, OfLargeTensorsOnEveryAxis) {
    const auto x = Tensor<B, 3>::ones({40, 50, 60}, device);
    for (std::int64_t axis = 0; axis < 3; ++axis) {
        const auto y = x.cumsum(axis);
        const auto expected = Tensor<B, 1>::arange(1, x.dim(axis) + 1, device);
        EXPECT_EQ(values((y - y.movedim({axis}, {2}).movedim({2}, {axis})).abs().max()), (Values{0}));
        EXPECT_EQ(values((y.movedim({axis}, {2}) - expected.unsqueeze<3>()).abs().max()), (Values{0})) << axis;
    }
}

TEST(CumProd, Multiplies) {
    const auto x = Tensor<B, 1>::from({3, 0, 2, 0, 5}, device);
    EXPECT_EQ(values(x.cumprod(0)), (Values{3, 0, 0, 0, 0}));
    EXPECT_EQ(values((Tensor<B, 1, Int>::from({2, -3, 4}, device).cumprod(0))), (Values{2, -6, -24}));
}

TEST(CumProd, GradientDoesNotDivideByZero) {
    const auto x = Tensor<B, 1>::from({3, 0, 2, 0, 5}, device).require_grad();
    EXPECT_EQ(values(*x.grad(x.cumprod(0).sum().backward())), (Values{1, 9, 0, 0, 0}));
    const auto one_zero = Tensor<B, 1>::from({2, 0, 3}, device).require_grad();  // y = a, ab, abc
    EXPECT_EQ(values(*one_zero.grad(one_zero.cumprod(0).sum().backward())), (Values{1, 8, 0}));
}

TEST(CumMax, KeepsTheLargestAndWhereItWasFirst) {
    const auto x = Tensor<B, 1>::from({1, 3, 2, 3, 5, 4}, device);
    EXPECT_EQ(values(x.cummax(0)), (Values{1, 3, 3, 3, 5, 5}));
    const ops::HandleList both = ops::cummax_with_indices(x.handle(), 0);
    EXPECT_EQ(values(Tensor<B, 1, Int>(both[1])), (Values{0, 1, 1, 1, 4, 4}));
    EXPECT_EQ(values((-x).cummin(0)), (Values{-1, -3, -3, -3, -5, -5}));
    EXPECT_EQ(values(Tensor<B, 2>::from({{1, 5}, {2, 3}}, device).cummax(0)), (Values{1, 5, 2, 5}));
    EXPECT_EQ(values(Tensor<B, 1, Int>::from({3, 5, 1}, device).cummin(0)), (Values{3, 3, 1}));
}

TEST(CumMax, StaysNan) {
    const auto x = Tensor<B, 1>::from({1.0, kNan, 7.0, kNan}, device);
    for (DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
        for (bool largest : {true, false}) {
            const auto typed = x.cast(dtype);
            const ops::HandleList both =
                largest ? ops::cummax_with_indices(typed.handle(), 0) : ops::cummin_with_indices(typed.handle(), 0);
            const Values got = values(Tensor<B, 1>(both[0]));
            EXPECT_EQ(got[0], 1);
            EXPECT_TRUE(std::isnan(got[1]) && std::isnan(got[2]) && std::isnan(got[3]));
            EXPECT_EQ(values(Tensor<B, 1, Int>(both[1])), (Values{0, 1, 1, 1}));
        }
    }
}

TEST(Scan, RefusesBoolAndAxesOutOfRange) {
    const auto x = count_up<1>({3});
    EXPECT_THROW(ops::cumsum(x.bool_().handle(), 0), DTypeError);
    EXPECT_THROW(ops::cummax(x.bool_().handle(), 0), DTypeError);
    EXPECT_THROW(x.cumsum(1), IndexError);
    EXPECT_THROW(x.cumprod(-2), IndexError);
}

TEST(Scan, GradientsMatchDifferences) {
    const Values start = {1.5, -2, 0.5, 0, 3, -1, 2, 0.25, -0.75, 1.25};
    for (std::int64_t axis : {0, 1}) {
        expect_gradient<2>(start, {2, 5}, [axis](auto x) { return x.square().cumsum(axis); });
        expect_gradient<2>(start, {2, 5}, [axis](auto x) { return x.cumprod(axis); });
        expect_gradient<2>(start, {5, 2}, [axis](auto x) { return x.cumprod(axis); });
        expect_gradient<2>(start, {2, 5}, [axis](auto x) { return x.cummax(axis).square(); });
        expect_gradient<2>(start, {2, 5}, [axis](auto x) { return x.cummin(axis).square(); });
    }
    expect_gradient<1>({2}, {1}, [](auto x) { return x.cumprod(0); });
}

// y = a + ab + abc at (2, 0, 3): d/da = 1 + b + bc, so the second derivatives in a, b, c of the sum of first ones are known.
TEST(CumProd, GivesSecondOrder) {
    using Twice = Autodiff<B>;
    auto inner = Tensor<B, 1>::from({2.0, 0.0, 3.0}, device).require_grad();
    auto x = Tensor<Twice, 1>::from_inner(inner).require_grad();
    auto first = *x.grad(x.cumprod(0).sum().backward());
    EXPECT_EQ(values(first), (Values{1, 8, 0}));  // 1 + b + bc, a + ac, ab
    // sum of these: 1 + b + bc + a + ac + ab; its gradient: (1 + c + b, 1 + c + a, b + a)
    EXPECT_EQ(values(*inner.grad(first.sum().backward())), (Values{4, 6, 2}));
}

}  // namespace
}  // namespace burn::scan_test
