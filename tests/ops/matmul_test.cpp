#include <burn/ops/matmul.h>

#include "tests/support/tensors.h"

namespace burn::matmul_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;

TEST(MatMul, MultipliesRowsByColumns) {
    const auto a = Tensor<B, 2>::from({{1, 2}, {3, 4}, {5, 6}}, device);
    const auto b = Tensor<B, 2>::from({{1, 0, 2}, {-1, 3, 1}}, device);
    EXPECT_EQ(values(a.matmul(b)), (Values{-1, 6, 4, -1, 12, 10, -1, 18, 16}));
    EXPECT_EQ(values(b.transpose().matmul(a.transpose())), (Values{-1, -1, -1, 6, 12, 18, 4, 10, 16}));
}

// Each operand broadcasts over the other's batch axis.
TEST(MatMul, BroadcastsBothBatchAxes) {
    const auto count = [](std::int64_t n) { return Tensor<B, 1>::arange(1, n + 1, device); };
    const auto a = count(3).reshape<4>({3, 1, 1, 1}).expand<4>({3, 1, 2, 4});
    const auto c = count(5).reshape<4>({1, 5, 1, 1}).expand<4>({1, 5, 4, 6});
    const auto y = a.matmul(c);
    EXPECT_EQ(y.shape(), (Shape{3, 5, 2, 6}));
    const auto expected = count(3).reshape<4>({3, 1, 1, 1}) * count(5).reshape<4>({1, 5, 1, 1}) * 4;
    EXPECT_TRUE(y.to_data() == expected.expand<4>({3, 5, 2, 6}).cast(y.dtype()).to_data());
    EXPECT_EQ(values(y.sum()), (Values{4320}));
}

TEST(MatMul, OfEveryInnerSize) {
    for (std::int64_t h = 1; h <= 3; ++h) {
        for (std::int64_t k = 1; k <= 100; ++k) {
            const auto y = Tensor<B, 4>::ones({1, h, 1, k}, device).matmul(Tensor<B, 4>::ones({1, h, k, 5}, device));
            EXPECT_EQ(y.shape(), (Shape{1, h, 1, 5}));
            EXPECT_EQ(values(y), Values(static_cast<std::size_t>(h * 5), static_cast<double>(k)));
        }
    }
}

TEST(MatMul, OfNothingIsZero) {
    EXPECT_EQ(values(Tensor<B, 2>::ones({2, 0}, device).matmul(Tensor<B, 2>::ones({0, 2}, device))),
              (Values{0, 0, 0, 0}));
}

TEST(MatMul, NamesWhatDoesNotFit) {
    const auto a = count_up<2>({2, 3});
    try {
        a.matmul(a);
        FAIL() << "inner sizes 3 and 2";
    } catch (const ShapeError& error) {
        EXPECT_STREQ(error.what(),
                     "matmul: inner sizes differ: lhs [2, 3], rhs [2, 3]; lhs columns must equal rhs rows");
    }
    EXPECT_THROW(a.matmul(a.transpose().cast(DType::F64)), DTypeError);
    EXPECT_THROW(count_up<3>({2, 2, 2}).matmul(count_up<3>({3, 2, 2})), ShapeError);
}

TEST(MatMul, GradientsSumOverBroadcastAxes) {
    const Values start = {1, -2, 3, 4, 0.5, 6};
    expect_gradient<3>(start, {1, 2, 3}, [](auto x) { return x.matmul(x.transpose().repeat_dim(0, 3) * 2 + 1); });
}

}  // namespace
}  // namespace burn::matmul_test
