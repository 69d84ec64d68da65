#include <burn/ops/sort.h>

#include "tests/support/tensors.h"

#include <cmath>
#include <limits>

namespace burn::sort_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Sort, OrdersAnyAxisBothWays) {
    const auto x = Tensor<B, 2>::from({{3, 1, 2}, {-1, 5, -4}}, device);
    EXPECT_EQ(values(x.sort(1)), (Values{1, 2, 3, -4, -1, 5}));
    EXPECT_EQ(values(x.argsort(-1)), (Values{1, 2, 0, 2, 0, 1}));
    EXPECT_EQ(values(x.sort(0)), (Values{-1, 1, -4, 3, 5, 2}));
    EXPECT_EQ(values(x.sort_descending(1)), (Values{3, 2, 1, 5, -1, -4}));
    EXPECT_EQ(values(x.argsort_descending(0)), (Values{0, 1, 0, 1, 0, 1}));
    const auto [sorted, indices] = x.sort_with_indices(1);
    EXPECT_TRUE(x.gather(1, indices).to_data() == sorted.to_data());
}

TEST(Sort, PutsNanLast) {
    const auto x = Tensor<B, 1>::from({3.0, kNan, -1.0, 2.0}, device);
    const Values up = values(x.sort(0));
    EXPECT_EQ((Values{up[0], up[1], up[2]}), (Values{-1, 2, 3}));
    EXPECT_TRUE(std::isnan(up[3]));
    EXPECT_EQ(values(x.argsort(0)), (Values{2, 3, 0, 1}));
    EXPECT_EQ(values(x.argsort_descending(0)), (Values{0, 3, 2, 1}));
    const auto y = Tensor<B, 1>::from({-kNan, kInf, kNan, -kInf, 0.0}, device);
    for (DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
        EXPECT_EQ(values(y.cast(dtype).argsort(0)), (Values{3, 4, 1, 0, 2}));
        EXPECT_EQ(values(y.cast(dtype).argsort_descending(0)), (Values{1, 4, 3, 0, 2}));
    }
}

TEST(Sort, IsStable) {
    const auto x = Tensor<B, 1>::from({1.0, 0.0, -0.0, 1.0, 0.0}, device);
    EXPECT_EQ(values(x.argsort(0)), (Values{1, 2, 4, 0, 3}));
    EXPECT_EQ(values(x.argsort_descending(0)), (Values{0, 3, 1, 2, 4}));
}

TEST(Sort, OrdersEveryType) {
    for (DType dtype : {DType::I64, DType::I32, DType::I16, DType::I8}) {
        const auto x = Tensor<B, 1, Int>::from({3, -128, 127, 0, -1}, device).cast(dtype);
        EXPECT_EQ(values(x.sort(0)), (Values{-128, -1, 0, 3, 127}));
        EXPECT_EQ(values(x.argsort_descending(0)), (Values{2, 0, 3, 4, 1}));
    }
    for (DType dtype : {DType::U64, DType::U32, DType::U16, DType::U8}) {
        const auto x = Tensor<B, 1, Int>::from({3, 255, 0}, device).cast(dtype);
        EXPECT_EQ(values(x.sort(0)), (Values{0, 3, 255}));
    }
    const auto extremes = TensorData::from<std::int64_t>({0, INT64_MAX, INT64_MIN, -1});
    EXPECT_EQ((Tensor<B, 1, Int>::from_data(extremes, device).sort(0).to_data()),
              TensorData::from<std::int64_t>({INT64_MIN, -1, 0, INT64_MAX}));
    const auto top_bit = TensorData::from<std::uint64_t>({0, ~0ull, 1});
    EXPECT_EQ((Tensor<B, 1, Int>::from_data(top_bit, device).sort(0).to_data()),
              TensorData::from<std::uint64_t>({0, 1, ~0ull}));
}

TEST(Sort, OfAPieceOfASplit) {
    const auto x = Tensor<B, 2>::from({{9, 1}, {3, 2}, {7, 0}, {1, 5}, {5, 4}}, device).split(1, 1)[0];
    EXPECT_EQ(values(x.sort(0)), (Values{1, 3, 5, 7, 9}));
    EXPECT_EQ(values(x.argsort(0)), (Values{3, 1, 4, 2, 0}));
}

TEST(Sort, OfLongAxes) {
    for (std::int64_t n : {31, 32, 33, 255, 257, 4097, 32769, 65537}) {
        std::vector<float> shuffled(static_cast<std::size_t>(n));
        std::vector<double> ordered(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i) {
            shuffled[static_cast<std::size_t>(i)] = static_cast<float>((i * 7919) % n);
            ordered[static_cast<std::size_t>(i)] = static_cast<double>(i);
        }
        const auto x = Tensor<B, 1>::from_data(TensorData::from(std::span<const float>(shuffled), {n}), device);
        for (DType dtype : {DType::F32, DType::F64}) {
            const auto typed = x.cast(dtype);
            EXPECT_EQ(values(typed.sort(0)), ordered) << n;
            EXPECT_EQ(values(typed.gather(0, typed.argsort(0))), ordered) << n;
            EXPECT_EQ(values(typed.sort_descending(0).flip({0})), ordered) << n;
            const std::int64_t k = n / 5;
            EXPECT_EQ(values(typed.topk(k, 0)), values(typed.sort_descending(0).slice({{0, k}}))) << n;
        }
        for (DType dtype : {DType::I64, DType::I32, DType::U32}) {
            const auto typed = x.int_().cast(dtype);
            EXPECT_EQ(values(typed.sort(0)), ordered) << n;
            EXPECT_EQ(values(typed.gather(0, typed.argsort(0))), ordered) << n;
        }
    }
}

TEST(Sort, OfNothing) {
    EXPECT_EQ((Tensor<B, 2>::zeros({2, 0}, device).sort(1).shape()), (Shape{2, 0}));
    EXPECT_EQ((Tensor<B, 2>::zeros({0, 3}, device).argsort(1).shape()), (Shape{0, 3}));
    EXPECT_EQ(count_up<1>({3}).topk(0, 0).shape(), (Shape{0}));
}

TEST(TopK, TakesTheLargestAndTheLowestIndexOfEquals) {
    const auto check = [](const auto& x) {
        EXPECT_EQ(values(x.topk(3, 0)), (Values{40, 40, 30}));
        EXPECT_EQ(values(x.argtopk(3, 0)), (Values{1, 3, 4}));
        const auto [top, indices] = x.topk_with_indices(2, 0);
        EXPECT_EQ(values(top), (Values{40, 40}));
        EXPECT_EQ(values(indices), (Values{1, 3}));
    };
    check(Tensor<B, 1>::from({10, 40, 20, 40, 30}, device));
    check(Tensor<B, 1, Int>::from({10, 40, 20, 40, 30}, device));
}

TEST(TopK, OfFewAmongManyIsStable) {
    std::vector<float> x(5000, 1.0f);
    x[77] = x[4001] = 3;
    x[500] = 2;
    const auto tensor = Tensor<B, 1>::from_data(TensorData::from(std::span<const float>(x), {5000}), device);
    EXPECT_EQ(values(tensor.argtopk(6, 0)), (Values{77, 4001, 500, 0, 1, 2}));
    EXPECT_EQ(values(tensor.cast(DType::F64).argtopk(6, 0)), (Values{77, 4001, 500, 0, 1, 2}));
}

TEST(TopK, RefusesMoreThanThereAre) {
    const auto x = count_up<1>({3});
    EXPECT_THROW(x.topk(4, 0), ArgumentError);
    EXPECT_THROW(x.topk(-1, 0), ArgumentError);
    EXPECT_THROW(x.sort(1), IndexError);
    EXPECT_THROW(ops::sort(x.bool_().handle(), 0), DTypeError);
}

TEST(Sort, GradientsFollowTheElements) {
    const Values start = {3, 1, 2, -1, 5, -4};
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.square().sort(1); });
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.sort_descending(0).square(); });
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.topk(2, 1).square(); });
}

}  // namespace
}  // namespace burn::sort_test
