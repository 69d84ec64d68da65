#include <burn/backends/cpu/libraries/blas_product.h>

#include <burn/base/parallel.h>

#include "tests/backends/cpu/sample_product.h"

#include <mutex>

namespace burn::cpu::blas_product_test {
namespace {

using burn::testing::WithThreads;

/// A piece by the definition; an element that is written twice is added to twice.
template <class T>
void multiply_plainly(const BlasProduct<T>& p) {
    ASSERT_GT(p.m, 0);
    ASSERT_GT(p.n, 0);
    ASSERT_GE(p.a.stride, p.a.transposed ? p.m : p.k);
    ASSERT_GE(p.b.stride, p.b.transposed ? p.k : p.n);
    ASSERT_GE(p.c_stride, p.n);
    for (int i = 0; i < p.m; ++i) {
        for (int j = 0; j < p.n; ++j) {
            T& to = p.c[i * p.c_stride + j];
            T sum = p.accumulate ? to : T(0);
            for (int q = 0; q < p.k; ++q) {
                sum += p.a.data[p.a.transposed ? q * p.a.stride + i : i * p.a.stride + q] *
                       p.b.data[p.b.transposed ? j * p.b.stride + q : q * p.b.stride + j];
            }
            to = sum;
        }
    }
}

bool blas_has(Order order) { return order != Order::Strided && order != Order::Reversed; }

TEST(BlasProduct, PiecesAreTheWhole) {
    for (const int threads : {1, 2, 5}) {
        const WithThreads with(threads);
        int fitting = 0;
        for_each_product([&](const ProductSizes& s) {
            SampleProduct<float> sample(s);
            const bool fits = fits_blas(sample.get());
            EXPECT_TRUE(fits || !blas_has(s.a) || !blas_has(s.b));
            if (!fits) return;
            ++fitting;
            for_each_blas_product<float>(sample.get(), multiply_plainly<float>);
            EXPECT_EQ(sample.faults(), 0);
        });
        EXPECT_GT(fitting, 300);
        SampleProduct<double> doubles({.m = 130, .n = 60, .k = 200, .batch = 3, .accumulate = true});
        for_each_blas_product<double>(doubles.get(), multiply_plainly<double>);
        EXPECT_EQ(doubles.faults(), 0);
    }
}

TEST(BlasProduct, StridesThatBlasLacksDoNotFit) {
    EXPECT_FALSE(fits_blas(SampleProduct<float>({.m = 4, .n = 5, .k = 6, .a = Order::Strided}).get()));
    EXPECT_FALSE(fits_blas(SampleProduct<float>({.m = 4, .n = 5, .k = 6, .b = Order::Reversed}).get()));
    const SampleProduct<float> sample({.m = 4, .n = 5, .k = 6});
    const auto with = [&](auto change) {
        ndarray::Product product = sample.get();
        change(product);
        return fits_blas(product);
    };
    EXPECT_TRUE(with([](ndarray::Product&) {}));
    EXPECT_FALSE(with([](ndarray::Product& p) { p.a.row_stride = 0; })) << "a row that is repeated";
    EXPECT_FALSE(with([](ndarray::Product& p) { p.b.col_stride = 0; }));
    EXPECT_FALSE(with([](ndarray::Product& p) { p.b.row_stride = 4; })) << "rows that overlap";
    EXPECT_FALSE(with([](ndarray::Product& p) { p.c.col_stride = 2; }));
    EXPECT_FALSE(with([](ndarray::Product& p) { p.shape.k = 0; }));
    EXPECT_FALSE(with([](ndarray::Product& p) { p.shape.m = 0; }));
    EXPECT_FALSE(with([](ndarray::Product& p) { p.batch.sizes[0] = 0; }));
    EXPECT_FALSE(with([](ndarray::Product& p) { p.shape.m = std::int64_t{1} << 31; })) << "more than an int holds";
    EXPECT_FALSE(with([](ndarray::Product& p) { p.a.row_stride = std::int64_t{1} << 31; }));
}

TEST(BlasProduct, PiecesDoNotDependOnWhoIsFree) {
    const auto pieces_of = [](const ProductSizes& s) {
        std::mutex mutex;
        std::vector<std::pair<int, int>> pieces;
        SampleProduct<float> sample(s);
        for_each_blas_product<float>(sample.get(), [&](const BlasProduct<float>& piece) {
            const std::lock_guard lock(mutex);
            pieces.emplace_back(piece.m, piece.n);
        });
        std::sort(pieces.begin(), pieces.end());
        return pieces;
    };
    const WithThreads with(3);
    const auto alone = pieces_of({.m = 300, .n = 200, .k = 100});
    EXPECT_EQ(alone.size(), 3u);
    parallel_for(4, 1, [&](std::int64_t, std::int64_t) {
        EXPECT_EQ(pieces_of({.m = 300, .n = 200, .k = 100}), alone) << "inside a loop that has all threads";
    });
    EXPECT_EQ(pieces_of({.m = 20, .n = 20, .k = 20}).size(), 1u) << "not worth a thread";
    EXPECT_EQ(pieces_of({.m = 16, .n = 8, .k = 30000}).size(), 1u) << "one vector is not cut";
}

}  // namespace
}  // namespace burn::cpu::blas_product_test
