#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/slice.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

/// How NdArray walks what it reduces: every direction, width and number of threads, over whole numbers that add up exactly.

namespace burn::ndarray::reduce_loop_test {
namespace {

using burn::testing::as_double;
using burn::testing::Numbers;
using burn::testing::WithThreads;
using ops::Handle;

ops::Engine& engine() { return NdArray::engine(0); }

TensorData read(const Handle& x) { return engine().read(x).wait(); }

template <class T>
Handle whole_numbers(const Shape& shape) {
    Numbers random(static_cast<std::uint32_t>(shape.numel()));
    TensorData data(shape, dtype_of<T>);
    for (T& value : data.mutable_values<T>()) value = random.integer<T>(3);
    return engine().upload(data);
}

/// Sum, largest and first place of the largest over the first axis of x [m, n], by plain loops.
template <class T>
void expect_columns(const Handle& x) {
    const TensorData values = read(x);
    const std::int64_t m = x.shape()[0], n = x.shape()[1];
    const TensorData sums = read(ops::sum(x, {0})), largest = read(ops::max(x, {0})), places = read(ops::argmax(x, 0));
    const TensorData variances = is_float(dtype_of<T>) ? read(ops::var(x, {0}, 0)) : sums;
    for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0, squares = 0, best = values.at(j);
        std::int64_t place = 0;
        for (std::int64_t i = 0; i < m; ++i) {
            const double value = values.at(i * n + j);
            sum += value;
            squares += value * value;
            if (value > best) best = value, place = i;
        }
        ASSERT_EQ(sums.at(j), as_double(static_cast<T>(sum))) << m << " x " << n << ", column " << j;
        ASSERT_EQ(largest.at(j), best) << m << " x " << n << ", column " << j;
        ASSERT_EQ(places.at(j), static_cast<double>(place)) << m << " x " << n << ", column " << j;
        if (!is_float(dtype_of<T>)) continue;
        const double mean = sum / static_cast<double>(m);
        ASSERT_NEAR(variances.at(j), squares / static_cast<double>(m) - mean * mean, 0.05)  // bf16 has 8 bits
            << m << " x " << n << ", column " << j;
    }
}

template <class T>
void expect_every_shape() {
    for (const std::int64_t n : {1, 7, 8, 9, 100, 257, 2049}) {
        for (const std::int64_t m : {1, 2, 7, 8, 9, 17, 129}) expect_columns<T>(whole_numbers<T>({m, n}));
    }
    expect_columns<T>(whole_numbers<T>({1025, 35}));  // enough of each for wide tiles, and for several chunks
    expect_columns<T>(whole_numbers<T>({1300, 2051}));
}

TEST(NdArrayReduce, ColumnsOfEveryShape) {
    expect_every_shape<float>();
    expect_every_shape<double>();
    expect_every_shape<std::int32_t>();
    expect_every_shape<std::uint8_t>();
    expect_every_shape<bf16>();
}

TEST(NdArrayReduce, ColumnsOfEveryLayout) {
    const Handle x = whole_numbers<float>({1200, 70});
    expect_columns<float>(ops::slice(x, {{0, 1200, 3}, {2, 61}}));
    expect_columns<float>(ops::slice(x, {{0, 1200}, {0, 70, 2}}));
    expect_columns<float>(ops::flip(x, {0}));
    expect_columns<float>(ops::flip(x, {1}));
    expect_columns<float>(ops::swap_dims(x, 0, 1));
    expect_columns<float>(ops::expand(ops::slice(x, {{3, 4}, {0, 70}}), {40, 70}));
}

// Axes before and behind the kept one: runs of equal distance end where an outer reduced axis goes on.
TEST(NdArrayReduce, SeveralAxesAroundTheKeptOne) {
    const Handle x = whole_numbers<float>({6, 5, 40, 33});
    const TensorData values = read(x), sums = read(ops::sum(x, {0, 2}));
    for (std::int64_t b = 0; b < 5; ++b) {
        for (std::int64_t d = 0; d < 33; ++d) {
            double sum = 0;
            for (std::int64_t a = 0; a < 6; ++a) {
                for (std::int64_t c = 0; c < 40; ++c) sum += values.at(((a * 5 + b) * 40 + c) * 33 + d);
            }
            ASSERT_EQ(sums.at(b * 33 + d), sum) << b << ' ' << d;
        }
    }
}

TEST(NdArrayReduce, NothingAndNan) {
    EXPECT_EQ(read(ops::sum(whole_numbers<float>({0, 9}), {0})), TensorData(Shape{1, 9}, DType::F32));
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    TensorData data = read(whole_numbers<float>({50, 90}));
    data.mutable_values<float>()[20 * 90 + 4] = kNan;
    data.mutable_values<float>()[30 * 90 + 4] = kNan;
    data.mutable_values<float>()[30 * 90 + 77] = kNan;
    const Handle x = engine().upload(data);
    const TensorData largest = read(ops::max(x, {0})), places = read(ops::argmax(x, 0));
    const TensorData across = read(ops::argmax(x, 1));
    for (const std::int64_t column : {4, 77}) EXPECT_TRUE(std::isnan(largest.at(column)));
    EXPECT_FALSE(std::isnan(largest.at(5)));
    EXPECT_EQ(places.at(4), 20);
    EXPECT_EQ(places.at(77), 30);
    EXPECT_EQ(across.at(20), 4);
    EXPECT_EQ(across.at(30), 4);
}

// Sums that do round: the same bits whatever the number of threads.
TEST(NdArrayReduce, BitsDoNotDependOnThreads) {
    Numbers random(5);
    TensorData data(Shape{3000, 300}, DType::F32);
    for (float& value : data.mutable_values<float>()) value = random.real<float>();
    const Handle x = engine().upload(data);
    TensorData alone;
    {
        const WithThreads threads(1);
        alone = read(ops::sum(x, {0}));
    }
    for (const int count : {2, 3, 5}) {
        const WithThreads threads(count);
        EXPECT_EQ(read(ops::sum(x, {0})), alone) << count;
    }
}

}  // namespace
}  // namespace burn::ndarray::reduce_loop_test
