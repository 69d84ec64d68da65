#include <burn/ops/sort.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

/// How NdArray sorts one long axis: as the standard library does, in the same order for any number of threads, every bit kept.

namespace burn::ndarray::sort_test {
namespace {

using burn::testing::as_double;
using burn::testing::WithThreads;

ops::Engine& engine() { return NdArray::engine(0); }

/// The order of `x`: NaN last both ways, equal elements as they come.
template <class T>
std::vector<std::int64_t> order_of(const std::vector<T>& x, bool descending) {
    std::vector<std::int64_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
        const auto a = as_double(x[static_cast<std::size_t>(i)]);
        const auto b = as_double(x[static_cast<std::size_t>(j)]);
        if (std::isnan(a) != std::isnan(b)) return std::isnan(b);
        if (std::isnan(a) || a == b) return i < j;
        return descending ? a > b : a < b;
    });
    return order;
}

template <class T>
void expect_sorts(const std::vector<T>& x) {
    const auto count = static_cast<std::int64_t>(x.size());
    const ops::Handle tensor = engine().upload(TensorData::from(std::span<const T>(x), {count}));
    for (const bool descending : {false, true}) {
        const std::vector<std::int64_t> order = order_of(x, descending);
        for (const int threads : {1, 2, 5}) {
            const WithThreads with(threads);
            const auto sorted = ops::sort_with_indices(tensor, 0, descending);
            const TensorData values = engine().read(sorted[0]).wait(), indices = engine().read(sorted[1]).wait();
            for (std::size_t i = 0; i < x.size(); ++i) {
                ASSERT_EQ(indices.values<std::int64_t>()[i], order[i]) << threads << " threads, at " << i;
                const T expected = x[static_cast<std::size_t>(order[i])];
                ASSERT_EQ(std::memcmp(&values.values<T>()[i], &expected, sizeof(T)), 0)
                    << threads << " threads, at " << i;
            }
        }
    }
}

/// Some of them zeros of both signs, infinities, subnormal numbers and NaN of both signs, with repeats.
template <class T>
std::vector<T> any_floats(std::size_t count) {
    std::mt19937 random(7);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const float special[] = {0.0f, -0.0f, inf, -inf, nan, -nan, 1e-40f, -1e-40f, 1.0f};
    std::vector<T> x(count);
    for (T& each : x) {
        const float number = std::normal_distribution<float>()(random);
        each = T(random() % 4 == 0 ? special[random() % std::size(special)] : number);
    }
    return x;
}

TEST(NdArraySort, LongAxesOfFloats) {
    for (const std::size_t count : {std::size_t{32768}, std::size_t{100003}}) {
        expect_sorts(any_floats<float>(count));
        expect_sorts(any_floats<double>(count));
        expect_sorts(any_floats<f16>(count));
        expect_sorts(any_floats<bf16>(count));
    }
}

TEST(NdArraySort, LongAxesOfIntegers) {
    std::mt19937_64 random(7);
    std::vector<std::int32_t> words(70001);
    std::vector<std::int64_t> wide(70001);
    std::vector<std::uint8_t> bytes(70001);
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = static_cast<std::int32_t>(random());
        wide[i] = static_cast<std::int64_t>(random()) >> 12;  // exact in f64, which tells their order here
        bytes[i] = static_cast<std::uint8_t>(random());
    }
    expect_sorts(words);
    expect_sorts(wide);
    expect_sorts(bytes);
}

}  // namespace
}  // namespace burn::ndarray::sort_test
