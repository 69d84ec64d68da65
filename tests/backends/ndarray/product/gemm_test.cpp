#include <burn/backends/ndarray/product/gemm_any.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/core/half.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace burn::ndarray::gemm_test {
namespace {

using burn::testing::as_double;
using burn::testing::for_each_isa;
using burn::testing::Numbers;
using burn::testing::WithThreads;

enum class Order { Rows, Columns, RowsReversed, BothReversed, PaddedRows, EverySecond, EverySecondColumns };

constexpr std::array kOrders = {Order::Rows,       Order::Columns,     Order::RowsReversed,      Order::BothReversed,
                                Order::PaddedRows, Order::EverySecond, Order::EverySecondColumns};

// A matrix laid out in one of the orders inside a buffer whose other elements, some before and behind included, must not change.
template <class T>
struct Matrix {
    static constexpr int64_t kMargin = 40;

    Matrix(int64_t rows, int64_t cols, Order order = Order::Rows) : rows(rows), cols(cols) {
        int64_t origin = kMargin;
        switch (order) {
            case Order::Rows: row_stride = cols, col_stride = 1; break;
            case Order::Columns: row_stride = 1, col_stride = rows; break;
            case Order::RowsReversed: row_stride = -cols, col_stride = 1, origin += (rows - 1) * cols; break;
            case Order::BothReversed: row_stride = -cols, col_stride = -1, origin += rows * cols - 1; break;
            case Order::PaddedRows: row_stride = cols + 5, col_stride = 1; break;
            case Order::EverySecond: row_stride = 3 * 2 * cols, col_stride = 2; break;
            case Order::EverySecondColumns: row_stride = 2, col_stride = 2 * rows + 3; break;
        }
        buffer.assign(static_cast<std::size_t>(2 * kMargin + 6 * rows * cols + 5 * (rows + cols)), sentinel());
        data = buffer.data() + origin;
    }

    static T sentinel() { return static_cast<T>(77.0f); }

    T& operator()(int64_t i, int64_t j) { return data[i * row_stride + j * col_stride]; }
    double value(int64_t i, int64_t j) { return as_double((*this)(i, j)); }
    MatrixView<T> view() { return {data, row_stride, col_stride}; }
    MatrixView<const T> const_view() { return {data, row_stride, col_stride}; }

    void fill_with_integers(std::uint32_t seed) {
        Numbers numbers(seed);
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < cols; ++j) (*this)(i, j) = numbers.integer<T>(4);
        }
    }

    void fill_with_reals(std::uint32_t seed) {
        Numbers numbers(seed);
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < cols; ++j) (*this)(i, j) = numbers.real<T>();
        }
    }

    // How many elements of the buffer outside the matrix have changed.
    int64_t strays() {
        std::vector<T> rest = buffer;
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < cols; ++j)
                rest[static_cast<std::size_t>(&(*this)(i, j) - buffer.data())] = sentinel();
        }
        int64_t count = 0;
        const T expected = sentinel();
        for (const T& element : rest) count += std::memcmp(&element, &expected, sizeof(T)) != 0;
        return count;
    }

    int64_t rows, cols;
    int64_t row_stride = 0, col_stride = 0;
    std::vector<T> buffer;
    T* data = nullptr;
};

// C (+)= A B by its definition, in double.
template <class T>
std::vector<double> defined_product(Matrix<T>& a, Matrix<T>& b, Matrix<T>& c, bool accumulate) {
    std::vector<double> product;
    for (int64_t i = 0; i < c.rows; ++i) {
        for (int64_t j = 0; j < c.cols; ++j) {
            double sum = accumulate ? c.value(i, j) : 0.0;
            for (int64_t p = 0; p < a.cols; ++p) sum += a.value(i, p) * b.value(p, j);
            product.push_back(sum);
        }
    }
    return product;
}

template <class T>
int64_t differences(Matrix<T>& c, const std::vector<double>& expected) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < c.rows; ++i) {
        for (int64_t j = 0; j < c.cols; ++j)
            wrong += c.value(i, j) != expected[static_cast<std::size_t>(i * c.cols + j)];
    }
    return wrong;
}

template <class T>
void expect_exact_product(const GemmShape& s, Order a_order, Order b_order, Order c_order, bool accumulate) {
    SCOPED_TRACE(::testing::Message() << "m " << s.m << " n " << s.n << " k " << s.k << " orders "
                                      << static_cast<int>(a_order) << static_cast<int>(b_order)
                                      << static_cast<int>(c_order) << " accumulate " << accumulate);
    Matrix<T> a(s.m, s.k, a_order), b(s.k, s.n, b_order), c(s.m, s.n, c_order);
    a.fill_with_integers(1);
    b.fill_with_integers(2);
    c.fill_with_integers(3);
    const std::vector<double> expected = defined_product(a, b, c, accumulate);
    gemm_any<T>(s, a.const_view(), b.const_view(), c.view(), accumulate);
    EXPECT_EQ(differences(c, expected), 0);
    EXPECT_EQ(c.strays(), 0);
    EXPECT_EQ(a.strays() + b.strays(), 0);
}

TEST(Gemm, HandMadeProduct) {
    for_each_isa([] {
        const float a[] = {1, 2, 3, 4, 5, 6};     // [2, 3]
        const float b[] = {7, 8, 9, 10, 11, 12};  // [3, 2]
        float c[] = {0, 0, 0, 0};
        gemm({2, 2, 3}, {a, 3, 1}, {b, 2, 1}, {c, 2, 1});
        EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{58, 64, 139, 154}));
        gemm({2, 2, 3}, {a, 3, 1}, {b, 2, 1}, {c, 2, 1}, true);
        EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{116, 128, 278, 308}));
    });
}

TEST(Gemm, SizesAroundVectorAndTileWidths) {
    for_each_isa([] {
        for (const int64_t m : {1, 2, 5, 6, 7, 13, 14, 15, 29}) {
            for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65}) {
                for (const int64_t k : {1, 2, 7, 8, 9, 16, 17, 33}) {
                    expect_exact_product<float>({m, n, k}, Order::Rows, Order::Rows, Order::Rows, false);
                    expect_exact_product<double>({m, n, k}, Order::Rows, Order::Rows, Order::Rows, true);
                }
            }
        }
    });
}

TEST(Gemm, EveryTripleOfOrders) {
    for_each_isa([] {
        for (const GemmShape shape :
             {GemmShape{15, 35, 21}, GemmShape{1, 37, 18}, GemmShape{34, 1, 19}, GemmShape{3, 5, 1}}) {
            for (const Order a : kOrders) {
                for (const Order b : kOrders) {
                    for (const Order c : kOrders) {
                        expect_exact_product<float>(shape, a, b, c, false);
                        expect_exact_product<double>(shape, a, b, c, true);
                    }
                }
            }
        }
    });
}

TEST(Gemm, ManyBlocks) {
    for_each_isa([] {
        expect_exact_product<float>({127, 65, 1000}, Order::Columns, Order::Columns, Order::Rows, false);
        expect_exact_product<float>({700, 33, 321}, Order::Rows, Order::Columns, Order::Rows, true);
        expect_exact_product<float>({9, 3333, 64}, Order::Rows, Order::Rows, Order::Columns, false);
        expect_exact_product<double>({129, 1700, 330}, Order::Columns, Order::Rows, Order::Rows, false);
    });
}

TEST(Gemm, ShallowPanelsAreMultipliedSeveralAtATime) {
    for_each_isa([] {
        for (const int64_t k : {1, 10, 60}) {
            for (const Order b : {Order::Rows, Order::Columns, Order::PaddedRows, Order::EverySecond}) {
                expect_exact_product<float>({40, 1001, k}, Order::Rows, b, Order::Rows, false);
                expect_exact_product<double>({40, 501, k}, Order::Columns, b, Order::EverySecond, true);
            }
        }
    });
}

TEST(Gemm, VectorsTimesMatricesThatNoCacheHolds) {
    for_each_isa([] {
        for (const Order order : {Order::Rows, Order::Columns, Order::PaddedRows, Order::EverySecond}) {
            expect_exact_product<float>({1, 2101, 1103}, Order::Rows, order, Order::Rows, false);
            expect_exact_product<float>({2101, 1, 1103}, order, Order::Columns, Order::EverySecond, true);
        }
        expect_exact_product<double>({1, 1030, 1103}, Order::EverySecond, Order::Rows, Order::Rows, true);
    });
}

TEST(Gemm, RowsThatAreFetchedEarlyGiveTheSameBits) {
    for_each_isa([] {
        constexpr int64_t kRows = 45, kColumns = 100, kStride = 103;
        Numbers numbers(5);
        std::vector<float> x(kColumns), b(kRows * kStride);
        for (float& value : x) value = numbers.real<float>();
        for (float& value : b) value = numbers.real<float>();
        std::vector<float> added[2], dotted[2];
        for (const bool fetch : {false, true}) {
            added[fetch].assign(kColumns, 0.5f);
            dotted[fetch].assign(kRows, 0.0f);
            gemm_kernels<float>().add_rows(kRows, kColumns, x.data(), b.data(), kStride, fetch, added[fetch].data());
            gemm_kernels<float>().dot_rows(kRows, kColumns, x.data(), b.data(), kStride, fetch, dotted[fetch].data());
        }
        EXPECT_EQ(added[0], added[1]);
        EXPECT_EQ(dotted[0], dotted[1]);
    });
}

TEST(Gemm, OperandsThatLieCloseAreReadInPlace) {
    for_each_isa([] {
        for (const int64_t k : {11, 511, 512, 513, 700}) {  // rows of 2 KiB and some more
            for (const Order a : {Order::Rows, Order::Columns, Order::RowsReversed, Order::BothReversed}) {
                expect_exact_product<float>({30, 96, k}, a, Order::Rows, Order::Rows, false);
                expect_exact_product<float>({30, 97, k}, a, Order::RowsReversed, Order::Rows, true);
            }
        }
        for (const int64_t n : {480, 512, 544})
            expect_exact_product<float>({40, n, 33}, Order::Rows, Order::Rows, Order::Rows, false);
    });
}

TEST(Gemm, RealValuesWithinTheRoundingErrorOfTheSum) {
    for_each_isa([] {
        const GemmShape s{37, 45, 700};
        Matrix<float> a(s.m, s.k), b(s.k, s.n), c(s.m, s.n);
        a.fill_with_reals(5);
        b.fill_with_reals(6);
        c.fill_with_reals(7);
        const std::vector<double> expected = defined_product(a, b, c, true);
        gemm(s, a.const_view(), b.const_view(), c.view(), true);
        for (int64_t i = 0; i < s.m; ++i) {
            for (int64_t j = 0; j < s.n; ++j) {
                double magnitude = 1;
                for (int64_t p = 0; p < s.k; ++p) magnitude += std::abs(a.value(i, p) * b.value(p, j));
                // A recursive sum is within k * eps * magnitude; errors of random sign grow like the root of k.
                const double bound = 4 * std::sqrt(static_cast<double>(s.k)) * 6e-8 * magnitude;
                ASSERT_NEAR(c.value(i, j), expected[static_cast<std::size_t>(i * s.n + j)], bound);
            }
        }
    });
}

TEST(Gemm, EmptyDepthGivesZeros) {
    for_each_isa([] {
        float c[] = {1, 2, 3, 4, 5, 6};
        gemm({2, 3, 0}, {nullptr, 0, 1}, {nullptr, 3, 1}, {c, 3, 1}, true);
        EXPECT_EQ(std::vector<float>(c, c + 6), (std::vector<float>{1, 2, 3, 4, 5, 6}));
        gemm({2, 2, 0}, {nullptr, 0, 1}, {nullptr, 3, 1}, {c, 3, 1});
        EXPECT_EQ(std::vector<float>(c, c + 6), (std::vector<float>{0, 0, 3, 0, 0, 6}));
    });
}

TEST(Gemm, EmptyResultTouchesNothing) {
    for_each_isa([] {
        float one[] = {1};
        gemm({0, 3, 2}, {one, 1, 1}, {one, 1, 1}, {one, 1, 1});
        gemm({3, 0, 2}, {one, 1, 1}, {one, 1, 1}, {one, 1, 1});
        EXPECT_EQ(one[0], 1);
    });
}

TEST(Gemm, BroadcastOperands) {
    for_each_isa([] {
        const float a[] = {1, 2, 3};  // the same row for every i
        const float b = 2;            // the same number everywhere
        std::vector<float> c(17 * 19, 0);
        gemm({17, 19, 3}, {a, 0, 1}, {&b, 0, 0}, {c.data(), 19, 1});
        EXPECT_EQ(c, std::vector<float>(17 * 19, 12));
    });
}

TEST(Gemm, InfinityAndNanReachOnlyTheirRowAndColumn) {
    for_each_isa([] {
        Matrix<float> a(16, 20), b(20, 33), c(16, 33);
        a.fill_with_integers(1);
        b.fill_with_integers(2);
        a(3, 7) = std::numeric_limits<float>::quiet_NaN();
        b(5, 32) = std::numeric_limits<float>::infinity();
        for (int64_t i = 0; i < 16; ++i) a(i, 5) = 1;
        gemm({16, 33, 20}, a.const_view(), b.const_view(), c.view());
        for (int64_t i = 0; i < 16; ++i) {
            for (int64_t j = 0; j < 33; ++j) {
                if (i == 3) {
                    EXPECT_TRUE(std::isnan(c(i, j)));
                } else if (j == 32) {
                    EXPECT_EQ(c(i, j), std::numeric_limits<float>::infinity());
                } else {
                    EXPECT_TRUE(std::isfinite(c(i, j)));
                }
            }
        }
    });
}

TEST(Gemm, SameBitsForAnyNumberOfThreads) {
    for_each_isa([] {
        for (const GemmShape s : {GemmShape{200, 300, 400}, GemmShape{20, 1500, 350}, GemmShape{1500, 20, 350},
                                  GemmShape{1, 1500, 1500}, GemmShape{1500, 1, 1500}, GemmShape{1, 700, 4000}}) {
            Matrix<float> a(s.m, s.k), b(s.k, s.n), first(s.m, s.n);
            a.fill_with_reals(1);
            b.fill_with_reals(2);
            {
                const WithThreads threads(1);
                gemm(s, a.const_view(), b.const_view(), first.view());
            }
            for (const int n : {2, 3, 5}) {
                const WithThreads threads(n);
                Matrix<float> again(s.m, s.n);
                gemm(s, a.const_view(), b.const_view(), again.view());
                EXPECT_EQ(std::memcmp(first.buffer.data(), again.buffer.data(), first.buffer.size() * sizeof(float)), 0)
                    << n;
            }
        }
    });
}

TEST(Gemm, SeveralCallersAtOnce) {
    const GemmShape s{150, 170, 190};
    Matrix<float> a(s.m, s.k), b(s.k, s.n), expected(s.m, s.n);
    a.fill_with_reals(1);
    b.fill_with_reals(2);
    gemm(s, a.const_view(), b.const_view(), expected.view());
    std::array<int, 4> wrong{};
    std::vector<std::thread> callers;
    for (int& mine : wrong) {
        callers.emplace_back([&] {
            for (int round = 0; round < 5; ++round) {
                Matrix<float> c(s.m, s.n);
                gemm(s, a.const_view(), b.const_view(), c.view());
                mine += c.buffer != expected.buffer;
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

std::vector<float> reals(int64_t count, std::uint32_t seed) {
    Matrix<float> row(1, count);
    row.fill_with_reals(seed);
    return {row.data, row.data + count};
}

// A batch must give the bits of single products.
void expect_batch_of_singles(const GemmBatch& batch, const GemmShape& s, const std::vector<float>& a,
                             const std::vector<float>& b, int64_t c_size) {
    std::vector<float> together(static_cast<std::size_t>(c_size), 5), one_by_one = together;
    const MatrixView<const float> av{a.data(), s.k, 1}, bv{b.data(), s.n, 1};
    gemm_batched(batch, s, av, bv, {together.data(), s.n, 1}, true);
    for_each_matrix<float>(batch, av, bv, {one_by_one.data(), s.n, 1},
                           [&](auto ai, auto bi, auto ci) { gemm(s, ai, bi, ci, true); });
    EXPECT_EQ(together, one_by_one);
    EXPECT_NE(together, std::vector<float>(static_cast<std::size_t>(c_size), 5));
}

TEST(GemmBatched, PlainBatch) {
    for_each_isa([] {
        const GemmShape s{5, 18, 7};
        expect_batch_of_singles({1, {9}, {5 * 7}, {7 * 18}, {5 * 18}}, s, reals(9 * 35, 1), reals(9 * 126, 2), 9 * 90);
    });
}

TEST(GemmBatched, OneMatrixForTheWholeBatch) {
    for_each_isa([] {
        const GemmShape s{5, 18, 7};
        expect_batch_of_singles({1, {9}, {5 * 7}, {0}, {5 * 18}}, s, reals(9 * 35, 1), reals(126, 2), 9 * 90);
        expect_batch_of_singles({1, {9}, {0}, {7 * 18}, {5 * 18}}, s, reals(35, 1), reals(9 * 126, 2), 9 * 90);
    });
}

TEST(GemmBatched, BroadcastAlongDifferentAxes) {
    for_each_isa([] {
        const GemmShape s{3, 4, 6};  // a [2, 1, 3, 6], b [1, 5, 6, 4] -> c [2, 5, 3, 4]
        expect_batch_of_singles({2, {2, 5}, {18, 0}, {0, 24}, {60, 12}}, s, reals(2 * 18, 1), reals(5 * 24, 2), 120);
    });
}

TEST(GemmBatched, FewLargeMatrices) {
    for_each_isa([] {
        const GemmShape s{110, 120, 130};
        const WithThreads threads(3);
        expect_batch_of_singles({1, {2}, {110 * 130}, {120 * 130}, {110 * 120}}, s, reals(2 * 110 * 130, 1),
                                reals(2 * 120 * 130, 2), 2 * 110 * 120);
    });
}

TEST(GemmBatched, EmptyBatchTouchesNothing) {
    float untouched = 3;
    gemm_batched({1, {0}, {1}, {1}, {1}}, {1, 1, 1}, {&untouched, 1, 1}, {&untouched, 1, 1}, {&untouched, 1, 1});
    EXPECT_EQ(untouched, 3);
}

// Each row of C must be told of once, when it has its last sum.
template <class T>
void expect_rows_told(const GemmBatch& batch, const GemmShape& s) {
    SCOPED_TRACE(::testing::Message() << s.m << ' ' << s.n << ' ' << s.k);
    const int64_t count = batch_size(batch);
    Matrix<T> a(count * s.m, s.k), b(count * s.k, s.n), expected(count * s.m, s.n), c(count * s.m, s.n);
    a.fill_with_integers(1);
    b.fill_with_integers(2);
    gemm_batched_any<T>(batch, s, a.const_view(), b.const_view(), expected.view());
    std::vector<std::atomic<int>> told(static_cast<std::size_t>(count * s.m));
    std::atomic<int> too_early = 0;
    const auto look = [&](int64_t first, int64_t last) {
        for (int64_t row = first; row < last; ++row) {
            ++told[static_cast<std::size_t>(row)];
            for (int64_t j = 0; j < s.n; ++j) too_early += c.value(row, j) != expected.value(row, j);
        }
    };
    const RowsFinished finished(look);
    gemm_batched_any<T>(batch, s, a.const_view(), b.const_view(), c.view(), false, &finished);
    EXPECT_EQ(too_early, 0);
    for (const std::atomic<int>& times : told) ASSERT_EQ(times, 1) << "row " << &times - told.data();
}

TEST(RowsFinished, OnceEachWithTheirLastSums) {
    const GemmShape shapes[] = {
        {1, 300, 40}, {3, 70, 20},  {37, 53, 29},     {150, 170, 700},  // several blocks of the depth
        {3, 700, 90}, {700, 5, 40}, {130, 1600, 330}, {20, 33, 0}};     // and of columns; no sum
    for (const int n : {1, 2, 3}) {
        const WithThreads threads(n);
        for_each_isa([&] {
            for (const GemmShape& s : shapes) {
                expect_rows_told<float>({}, s);
                expect_rows_told<double>({}, s);
            }
            const GemmShape s{37, 53, 29};
            expect_rows_told<double>({1, {3}, {s.m * s.k}, {s.k * s.n}, {s.m * s.n}}, s);
            expect_rows_told<float>({1, {3}, {s.m * s.k}, {0}, {s.m * s.n}}, s);  // one product of more rows
        });
        expect_rows_told<f16>({}, {37, 53, 29});
        expect_rows_told<std::int32_t>({1, {2}, {37 * 29}, {29 * 53}, {37 * 53}}, {37, 53, 29});
    }
}

TEST(RowsFinished, NoneWhereThereIsNothing) {
    const auto never = [](int64_t, int64_t) { ADD_FAILURE(); };
    const RowsFinished finished(never);
    float none = 0;
    for (const GemmShape& s : {GemmShape{0, 4, 3}, GemmShape{4, 0, 3}})
        gemm_batched({}, s, {&none, 3, 1}, {&none, 4, 1}, {&none, 4, 1}, false, &finished);
}

TEST(GemmAny, IntegersOfSeveralWidths) {
    for (const GemmShape shape :
         {GemmShape{1, 1, 1}, GemmShape{5, 17, 9}, GemmShape{4, 16, 3}, GemmShape{33, 35, 20}}) {
        for (const Order order : kOrders) {
            expect_exact_product<std::int64_t>(shape, order, Order::Rows, Order::Rows, true);
            expect_exact_product<std::int32_t>(shape, Order::Rows, order, Order::Rows, false);
            expect_exact_product<std::int16_t>(shape, Order::Rows, Order::Rows, order, true);
        }
    }
}

TEST(GemmAny, IntegersWrap) {
    const std::int32_t big[] = {0x7fffffff, 2};
    std::int32_t c = 0;
    gemm_any<std::int32_t>({1, 1, 2}, {big, 2, 1}, {big, 1, 1}, {&c, 1, 1});
    EXPECT_EQ(c, 5);  // (2^31 - 1)^2 + 4 = 2^62 - 2^32 + 5
    const std::uint8_t bytes[] = {200, 100};
    std::uint8_t d = 1;
    gemm_any<std::uint8_t>({1, 1, 2}, {bytes, 2, 1}, {bytes, 1, 1}, {&d, 1, 1}, true);
    EXPECT_EQ(d, (200 * 200 + 100 * 100 + 1) % 256);
    const std::uint16_t words[] = {65535, 65535};
    std::uint16_t e = 0;
    gemm_any<std::uint16_t>({1, 1, 2}, {words, 2, 1}, {words, 1, 1}, {&e, 1, 1});
    EXPECT_EQ(e, 2);  // (-1)(-1), twice
}

TEST(GemmAny, HalfTypesInEveryOrder) {
    for_each_isa([] {
        for (const Order order : kOrders) {
            expect_exact_product<f16>({7, 19, 12}, order, Order::Rows, Order::Rows, false);
            expect_exact_product<f16>({7, 19, 12}, Order::Rows, order, Order::Rows, true);
            expect_exact_product<bf16>({7, 19, 5}, Order::Rows, Order::Rows, order, false);
        }
        expect_exact_product<bf16>({515, 3, 2}, Order::Rows, Order::Rows, Order::Rows, false);
        expect_exact_product<bf16>({2, 515, 3}, Order::Rows, Order::Rows, Order::Rows, true);
    });
}

TEST(GemmAny, HalfTypesRoundOnce) {
    // 4096 + 1 + 1 + ...: every step would be lost if sums were kept in f16, whose numbers are 4 apart there.
    std::vector<f16> a(1025, f16(1.0f)), b(1025, f16(1.0f));
    a[0] = f16(4096.0f);
    f16 c{};
    gemm_any<f16>({1, 1, 1025}, {a.data(), 1025, 1}, {b.data(), 1, 1}, {&c, 1, 1});
    EXPECT_EQ(static_cast<float>(c), 5120.0f);
}

TEST(GemmPortable, FloatsAsOnBareMetal) {
    for (const GemmShape s : {GemmShape{1, 1, 1}, GemmShape{4, 16, 5}, GemmShape{9, 37, 21}}) {
        for (const Order order : kOrders) {
            Matrix<float> a(s.m, s.k, order), b(s.k, s.n, order), c(s.m, s.n, order);
            a.fill_with_integers(1);
            b.fill_with_integers(2);
            const std::vector<double> expected = defined_product(a, b, c, false);
            gemm_portable<float>(s, a.const_view(), b.const_view(), c.view(), false);
            EXPECT_EQ(differences(c, expected), 0);
            EXPECT_EQ(c.strays(), 0);
        }
    }
}

}  // namespace
}  // namespace burn::ndarray::gemm_test
