#include <burn/ops/scan.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

/// How NdArray accumulates many rows at once: the same bits as one element after the other.

namespace burn::ndarray::scan_test {
namespace {

using burn::testing::for_each_isa;
using burn::testing::Numbers;
using ops::Handle;

ops::Engine& engine() { return NdArray::engine(0); }

/// The running sum or product of one row, in f64 or in wrapping integers, rounded at each element.
template <class T>
std::vector<T> accumulated(const std::vector<T>& row, bool product) {
    using A = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
    A running = product ? A(1) : A(0);
    std::vector<T> result(row.size());
    for (std::size_t j = 0; j < row.size(); ++j) {
        running = product ? running * static_cast<A>(row[j]) : running + static_cast<A>(row[j]);
        result[j] = static_cast<T>(running);
    }
    return result;
}

template <class T>
bool same_bits(T a, T b) {
    return a == b || (a != a && b != b);
}

/// Compares both scans of x [rows, n], read through `x`, with the plain loop.
template <class T>
void expect_scans(const Handle& x) {
    const TensorData values = engine().read(x).wait();
    const std::int64_t rows = x.shape()[0], n = x.shape()[1];
    for (const bool product : {false, true}) {
        const TensorData actual = engine().read(product ? ops::cumprod(x, 1) : ops::cumsum(x, 1)).wait();
        ASSERT_EQ(actual.shape(), x.shape());
        for (std::int64_t i = 0; i < rows; ++i) {
            const T* first = values.values<T>().data() + i * n;
            const std::vector<T> expected = accumulated(std::vector<T>(first, first + n), product);
            for (std::int64_t j = 0; j < n; ++j) {
                ASSERT_TRUE(same_bits(actual.values<T>()[static_cast<std::size_t>(i * n + j)],
                                      expected[static_cast<std::size_t>(j)]))
                    << (product ? "product" : "sum") << " of " << rows << " x " << n << " at " << i << ", " << j;
            }
        }
    }
}

template <class T>
Handle numbers(std::int64_t rows, std::int64_t n) {
    Numbers random(static_cast<std::uint32_t>(rows * 100 + n));
    TensorData data(Shape{rows, n}, dtype_of<T>);
    for (T& value : data.mutable_values<T>())
        value = std::is_integral_v<T> ? random.integer<T>(100) : static_cast<T>(random.real<double>() * 2);
    return engine().upload(data);
}

template <class T>
void expect_every_size() {
    for (const std::int64_t rows : {1, 3, 4, 5, 8, 17, 40}) {
        for (const std::int64_t n : {1, 2, 7, 8, 9, 16, 33, 100}) expect_scans<T>(numbers<T>(rows, n));
    }
}

TEST(NdArrayScan, RowsSideBySideGiveTheBitsOfOneAfterTheOther) {
    for_each_isa([] {
        expect_every_size<float>();
        expect_every_size<double>();
        expect_every_size<std::int32_t>();
        expect_every_size<std::int64_t>();
        expect_every_size<std::uint32_t>();
    });
}

TEST(NdArrayScan, RowsMayLieApartBackwardsOrOnTopOfEachOther) {
    for_each_isa([] {
        const Handle x = numbers<float>(30, 50);
        expect_scans<float>(ops::slice(x, {{0, 30, 2}, {3, 43}}));
        expect_scans<float>(ops::flip(x, {0}));
        expect_scans<float>(ops::expand(ops::slice(x, {{4, 5}, {0, 50}}), {9, 50}));
        expect_scans<float>(ops::slice(x, {{0, 30}, {0, 50, 2}}));  // neighbours along the axis lie apart
        expect_scans<float>(ops::flip(x, {1}));
        expect_scans<float>(ops::swap_dims(x, 0, 1));
    });
}

// More than 8 MiB, which go past the caches where rows start at cache lines.
TEST(NdArrayScan, RowsOfMoreThanTheCachesHold) {
    for_each_isa([] {
        expect_scans<float>(numbers<float>(37, 58000));
        expect_scans<float>(numbers<float>(16, 140001));
        expect_scans<std::int64_t>(numbers<std::int64_t>(9, 120008));
    });
}

TEST(NdArrayScan, NanAndInfinityStayInTheirRows) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    TensorData data = engine().read(numbers<float>(20, 40)).wait();
    data.mutable_values<float>()[2 * 40 + 11] = kNan;
    data.mutable_values<float>()[3 * 40 + 5] = kInf;
    data.mutable_values<float>()[3 * 40 + 30] = -kInf;
    data.mutable_values<float>()[19 * 40 + 39] = -0.0f;
    for_each_isa([&] { expect_scans<float>(engine().upload(data)); });
}

// 1e308 + 1e308 would overflow if elements were added in pairs before they meet the running sum.
TEST(NdArrayScan, KeepsTheOrderOfAdditions) {
    TensorData data(Shape{16, 16}, DType::F64);
    for (std::size_t i = 0; i < 256; ++i)
        data.mutable_values<double>()[i] = i % 16 == 0 ? -1e308 : i % 16 < 3 ? 1e308 : 0;
    for_each_isa([&] {
        const TensorData sums = engine().read(ops::cumsum(engine().upload(data), 1)).wait();
        EXPECT_EQ(sums.at(1), 0);
        EXPECT_EQ(sums.at(255), 1e308);
    });
}

}  // namespace
}  // namespace burn::ndarray::scan_test
