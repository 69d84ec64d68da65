#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/parallel.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/tensor.h>

#include "tests/support/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace burn::reduce_test {
namespace {

using B = NdArray;
using A = Autodiff<NdArray>;
using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// 1, 2, 3, .. of some shape.
template <std::size_t D>
Tensor<B, D> count_up(Sizes<D> shape, DType dtype = DType::F32) {
    TensorData data(shape.shape(), DType::F32);
    float next = 0;
    for (float& value : data.mutable_values<float>()) value = ++next;
    return Tensor<B, D>::from_data(data.convert(dtype), {});
}

TEST(Reduce, SumsEveryAxis) {
    const auto x = count_up<3>({2, 3, 4});
    EXPECT_THAT(values(x.sum()), ElementsAre(300));
    EXPECT_THAT(values(x.sum_dim(0)), ElementsAre(14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36));
    EXPECT_THAT(values(x.sum_dim(1)), ElementsAre(15, 18, 21, 24, 51, 54, 57, 60));
    EXPECT_THAT(values(x.sum_dim(-1)), ElementsAre(10, 26, 42, 58, 74, 90));
    EXPECT_THAT(values(x.sum_dims({0, -1})), ElementsAre(68, 100, 132));
    EXPECT_EQ(x.sum_dims({0, 2}).shape(), (Shape{1, 3, 1}));
}

TEST(Reduce, SumsWhatIsPermuted) {
    const auto x = count_up<3>({2, 3, 4});
    const auto permuted = x.permute({2, 0, 1});
    EXPECT_THAT(values(permuted.sum()), ElementsAre(300));
    EXPECT_THAT(values(permuted.sum_dim(0)), ElementsAre(10, 26, 42, 58, 74, 90));
    EXPECT_THAT(values(permuted.sum_dims({0, 2})), ElementsAre(78, 222));
}

TEST(Reduce, FullReductionsHaveOneAxis) {
    const auto mean = Tensor<B, 1>::from({2, 4, 9}, {}).mean();
    EXPECT_EQ(mean.shape(), (Shape{1}));
    EXPECT_THAT(values(mean), ElementsAre(5));
}

TEST(Reduce, VarianceOfSwappedAxes) {
    const auto x = Tensor<B, 2>::from({{1, 2}, {3, 5}, {4, 11}}, {}).transpose();
    const auto [var, mean] = x.var_mean_bias(1);
    EXPECT_NEAR(values(mean)[0], 2.666667, 1e-6);
    EXPECT_NEAR(values(mean)[1], 6, 1e-6);
    EXPECT_NEAR(values(var)[0], 1.555556, 1e-6);
    EXPECT_NEAR(values(var)[1], 14, 1e-6);
    EXPECT_NEAR(values(x.var(-1))[1], 21, 1e-5);
    EXPECT_THAT(values(x.transpose().var_bias(0)),
                ElementsAre(testing::DoubleNear(1.555556, 1e-6), testing::DoubleNear(14, 1e-6)));
}

TEST(Reduce, ArgFormsReportTheFirstNan) {
    const auto x = Tensor<B, 1>::from({1.0f, kNan, 7.0f, kNan}, {});
    EXPECT_TRUE(std::isnan(values(x.max())[0]));
    EXPECT_TRUE(std::isnan(values(x.min())[0]));
    EXPECT_THAT(values(x.argmax(0)), ElementsAre(1));
    EXPECT_THAT(values(x.argmin(0)), ElementsAre(1));
    TensorData data(Shape{5000}, DType::F32);
    data.mutable_values<float>()[3333] = kNan;
    data.mutable_values<float>()[4444] = kNan;
    for (const DType dtype : {DType::F32, DType::F64, DType::F16, DType::BF16}) {
        const auto row = Tensor<B, 1>::from_data(data.convert(dtype), {});
        EXPECT_THAT(values(row.argmax(0)), ElementsAre(3333)) << name_of(dtype);
        EXPECT_THAT(values(row.argmin(0)), ElementsAre(3333)) << name_of(dtype);
        const auto column = row.reshape<2>({5000, 1});
        EXPECT_THAT(values(column.argmax(0)), ElementsAre(3333)) << name_of(dtype);
        // columns and rows of a wide matrix
        const auto wide = row.reshape<2>({50, 100});
        for (const auto& [at, place] : {std::pair(wide.argmax(1), 33), std::pair(wide.argmin(1), 33),
                                        std::pair(wide.transpose().argmax(0), 33)}) {
            EXPECT_THAT(values(at)[33], place) << name_of(dtype);
            EXPECT_THAT(values(at)[44], 44) << name_of(dtype);
        }
        EXPECT_THAT(values(wide.argmax(0))[33], 33) << name_of(dtype);
        EXPECT_THAT(values(wide.transpose().argmin(1))[44], 44) << name_of(dtype);
        for (const auto& extremum : {row.max(), row.min(), column.max(), column.min(), wide.transpose().max()})
            EXPECT_TRUE(std::isnan(values(extremum)[0])) << name_of(dtype);
        for (const auto& extremum : {wide.max_dim(1), wide.min_dim(1), wide.transpose().max_dim(0)}) {
            const std::vector<double> got = values(extremum);
            for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(std::isnan(got[i]), i == 33 || i == 44) << name_of(dtype);
        }
        for (const auto& extremum : {wide.max_dim(0), wide.min_dim(0), wide.transpose().min_dim(1)}) {
            const std::vector<double> got = values(extremum);
            for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(std::isnan(got[i]), i == 33 || i == 44) << name_of(dtype);
        }
    }
}

TEST(Reduce, ArgFormsReportTheFirstOfEquals) {
    const auto x = Tensor<B, 2>::from({{2, 5, 5}, {7, 7, 1}}, {});
    EXPECT_THAT(values(x.argmax(1)), ElementsAre(1, 0));
    EXPECT_THAT(values(x.argmin(1)), ElementsAre(0, 2));
    EXPECT_THAT(values(x.argmax(0)), ElementsAre(1, 1, 0));
    EXPECT_EQ(x.argmax(0).dtype(), DType::I64);
    const auto low = Tensor<B, 1>::from({-kInfinity, -kInfinity}, {});
    EXPECT_THAT(values(low.argmax(0)), ElementsAre(0));
}

TEST(Reduce, ArgFormsInWideColumns) {
    TensorData data(Shape{7, 300}, DType::F32);
    for (std::int64_t i = 0; i < 7 * 300; ++i)
        data.mutable_values<float>()[static_cast<std::size_t>(i)] = static_cast<float>(i * 31 % 53);
    const auto x = Tensor<B, 2>::from_data(data, {});
    const std::vector<double> columns = values(x.argmax(0));
    const std::vector<double> rows = values(x.transpose().argmax(1));
    ASSERT_EQ(columns.size(), 300u);
    EXPECT_EQ(columns, rows);
    for (std::int64_t j = 0; j < 300; ++j) {
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < 7; ++i) {
            if (data.at(i * 300 + j) > data.at(best * 300 + j)) best = i;
        }
        EXPECT_EQ(columns[static_cast<std::size_t>(j)], static_cast<double>(best));
    }
}

TEST(Reduce, ExtremaWithIndicesAndMedians) {
    const auto x = Tensor<A, 2>::from({{3, 9, 9}, {4, 1, 2}}, {}).require_grad();
    const auto [top, at] = x.max_dim_with_indices(1);
    EXPECT_THAT(values(top), ElementsAre(9, 4));
    EXPECT_THAT(values(at), ElementsAre(1, 0));
    EXPECT_THAT(values(*x.grad(top.sum().backward())), ElementsAre(0, 1, 0, 1, 0, 0));
    EXPECT_THAT(values(*x.grad(x.max().backward())), ElementsAre(0, 1, 0, 0, 0, 0));
    EXPECT_THAT(values(x.median(1)), ElementsAre(9, 2));
    EXPECT_THAT(values(x.median_with_indices(0).second), ElementsAre(0, 1, 1));  // the lower of two
    const auto [median, place] = Tensor<B, 1>::from({1.0f, kNan, 0.0f, 2.0f}, {}).median_with_indices(0);
    EXPECT_TRUE(std::isnan(values(median)[0]));
    EXPECT_THAT(values(place), ElementsAre(1));
    EXPECT_THROW((Tensor<B, 1>::zeros({0}, {}).median(0)), ShapeError);
}

TEST(Reduce, Covariance) {
    const auto x = Tensor<B, 2>::from({{1, 2}, {2, 4}, {3, 9}}, {});
    EXPECT_THAT(values(x.cov(0, 1)), ElementsAre(1, 3.5, 3.5, 13));
    EXPECT_THAT(values(x.transpose().cov(1, 1)), ElementsAre(1, 3.5, 3.5, 13));
}

TEST(Reduce, SqueezedSums) {
    EXPECT_THAT(values(count_up<3>({2, 3, 4}).sum_dims_squeeze<1>({0, 2})), ElementsAre(68, 100, 132));
}

TEST(Reduce, HalfTypesAccumulateInSingle) {
    for (const DType dtype : {DType::F16, DType::BF16}) {
        const auto x = Tensor<B, 2>::full({2, 1024}, 100, {}, dtype);
        EXPECT_THAT(values(x.mean()), ElementsAre(100));
        EXPECT_THAT(values(x.mean_dim(0)), testing::Each(100));
        EXPECT_THAT(values(x.mean_dim(1)), ElementsAre(100, 100));
        EXPECT_THAT(values(x.var(1)), ElementsAre(0, 0));
        EXPECT_EQ(x.mean().dtype(), dtype);
    }
}

TEST(Reduce, IntegersWrapAndTruncate) {
    const auto x = Tensor<B, 1, Int>::from_data(TensorData::from<std::int8_t>({100, 100, 3}), {});
    EXPECT_THAT(values(x.sum()), ElementsAre(-53));
    EXPECT_THAT(values(x.prod()), ElementsAre(48));  // 30000 mod 256
    EXPECT_THAT(values((Tensor<B, 1, Int>::from({-3, -4}, {}).mean())), ElementsAre(-3));
    EXPECT_THAT(values(x.max()), ElementsAre(100));
    const auto large = Tensor<B, 1, Int>::from_data(TensorData::from<std::uint16_t>({65535, 65535}), {});
    EXPECT_THAT(values(large.prod()), ElementsAre(1));
}

TEST(Reduce, EmptyReductions) {
    const auto x = Tensor<B, 2>::zeros({0, 3}, {});
    EXPECT_THAT(values(x.sum_dim(0)), ElementsAre(0, 0, 0));
    EXPECT_THAT(values(x.prod_dim(0)), ElementsAre(1, 1, 1));
    EXPECT_TRUE(std::isnan(values(x.mean_dim(0))[0]));
    EXPECT_THAT(values(x.sum()), ElementsAre(0));
    const auto none = x.equal_scalar(0);
    EXPECT_THAT(values(none.any()), ElementsAre(0));
    EXPECT_THAT(values(none.all()), ElementsAre(1));
    EXPECT_THAT(values(none.all_dim(0)), ElementsAre(1, 1, 1));
    EXPECT_EQ(x.max_dim(1).shape(), (Shape{0, 1}));
    for (const auto& bad :
         {std::function<void()>([&] { x.max_dim(0); }), std::function<void()>([&] { x.argmin(0); })}) {
        try {
            bad();
            FAIL();
        } catch (const ShapeError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("axis 0 of [0, 3] is empty"));
        }
    }
}

TEST(Reduce, AnyAndAll) {
    const auto x = Tensor<B, 2>::from({{0, 0, 2}, {3, 1, 1}}, {});
    EXPECT_THAT(values(x.any()), ElementsAre(1));
    EXPECT_THAT(values(x.all()), ElementsAre(0));
    EXPECT_THAT(values(x.all_dim(1)), ElementsAre(0, 1));
    EXPECT_THAT(values(x.any_dim(0)), ElementsAre(1, 1, 1));
    EXPECT_THAT(values(x.greater_scalar(2).any_dim(1)), ElementsAre(0, 1));
}

TEST(Reduce, SameBitsForAnyNumberOfThreads) {
    TensorData data(Shape{37, 5003}, DType::F32);
    std::uint32_t state = 1;
    for (float& value : data.mutable_values<float>()) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
    }
    const auto x = Tensor<B, 2>::from_data(data, {});
    const auto all = [&] {
        return std::vector<TensorData>{x.sum().to_data(), x.sum_dim(0).to_data(), x.sum_dim(1).to_data(),
                                       x.transpose().var(0).to_data()};
    };
    set_num_threads(1);
    const auto one = all();
    for (const int threads : {2, 3}) {
        set_num_threads(threads);
        EXPECT_EQ(all(), one);
    }
    set_num_threads(0);
    double exact = 0;
    for (const float value : data.values<float>()) exact += value;
    EXPECT_NEAR(one[0].at(0), exact, 1e-3);
}

TEST(Reduce, RefusesWrongArguments) {
    const auto x = Tensor<B, 2>::zeros({2, 3}, {});
    EXPECT_THROW(x.sum_dim(2), IndexError);
    EXPECT_THROW(x.argmax(-3), IndexError);
    EXPECT_THROW(x.sum_dims({0, -2}), IndexError);
}

TEST(ReduceGradient, ProductsDoNotDivide) {
    const auto x = Tensor<A, 1>::from({1, -2, 3, -4}, {}).require_grad();
    const auto y = x.prod();
    EXPECT_THAT(values(y), ElementsAre(24));
    EXPECT_THAT(values(*x.grad(y.backward())), ElementsAre(24, -12, 8, -6));
    const auto zeros = Tensor<A, 2>::from({{3, 0, 2}, {0, 0, 5}}, {}).require_grad();
    EXPECT_THAT(values(*zeros.grad(zeros.prod_dim(1).sum().backward())), ElementsAre(0, 6, 0, 0, 0, 0));
    EXPECT_THAT(values(*zeros.grad(zeros.prod_dim(0).sum().backward())), ElementsAre(0, 0, 5, 3, 0, 2));
}

TEST(ReduceGradient, OfMeanAndVariance) {
    const auto x = Tensor<A, 2>::from({{1, 2, 6}, {0, 4, 8}}, {}).require_grad();
    EXPECT_THAT(values(*x.grad(x.mean().backward())), testing::Each(testing::DoubleNear(1.0 / 6, 1e-7)));
    // d var / dx = 2 (x - mean) / (n - 1)
    EXPECT_THAT(values(*x.grad(x.var(1).sum().backward())), ElementsAre(-2, -1, 3, -4, 0, 4));
}

}  // namespace
}  // namespace burn::reduce_test
