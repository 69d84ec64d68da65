#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/pool.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

/// How NdArray pools windows side by side: what the plain loop over each window finds, at every stride and border.

namespace burn::ndarray::max_pool_test {
namespace {

using burn::testing::as_double;
using burn::testing::for_each_isa;
using burn::testing::Numbers;
using ops::Handle;
using ops::PoolOptions;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ops::Engine& engine() { return NdArray::engine(0); }

struct Largest {
    double value = -std::numeric_limits<double>::infinity();
    std::int64_t place = -1;
};

/// Looks at every element of one window of a plane, in row-major order.
Largest largest_of(const std::vector<double>& plane, std::int64_t height, std::int64_t width,
                   const PoolOptions& options, std::int64_t i, std::int64_t j) {
    Largest found;
    for (std::int64_t p = 0; p < options.kernel[0]; ++p) {
        for (std::int64_t q = 0; q < options.kernel[1]; ++q) {
            const std::int64_t r = i * options.stride[0] - options.padding[0] + p * options.dilation[0];
            const std::int64_t c = j * options.stride[1] - options.padding[1] + q * options.dilation[1];
            if (r < 0 || r >= height || c < 0 || c >= width) continue;
            const double value = plane[static_cast<std::size_t>(r * width + c)];
            const bool first_nan = value != value && found.value == found.value;
            if (found.place < 0 || value > found.value || first_nan) found = {value, r * width + c};
        }
    }
    return found;
}

template <class T>
void expect_pools(const Shape& shape, const PoolOptions& options, double nan_share = 0) {
    Numbers random(static_cast<std::uint32_t>(shape.numel() * 7 + options.kernel[0]));
    TensorData data(shape, dtype_of<T>);
    for (T& value : data.mutable_values<T>()) {
        // Few different numbers: most windows have their largest more than once.
        value = random.real<double>() * 0.5 + 0.5 < nan_share ? static_cast<T>(kNan) : random.integer<T>(9);
    }
    const ops::HandleList results = ops::max_pool_with_indices(engine().upload(data), options);
    const TensorData values = engine().read(results[0]).wait();
    const TensorData places = engine().read(results[1]).wait();
    const TensorData only_values = engine().read(ops::max_pool(engine().upload(data), options)).wait();
    ASSERT_EQ(only_values.shape(), values.shape());
    const std::int64_t height = shape[2], width = shape[3], rows = values.shape()[2], columns = values.shape()[3];
    std::vector<double> plane(static_cast<std::size_t>(height * width));
    std::int64_t window = 0;
    for (std::int64_t p = 0; p < shape[0] * shape[1]; ++p) {
        for (std::int64_t k = 0; k < height * width; ++k)
            plane[static_cast<std::size_t>(k)] = data.at(p * height * width + k);
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j, ++window) {
                const Largest expected = largest_of(plane, height, width, options, i, j);
                ASSERT_EQ(places.at(window), static_cast<double>(expected.place))
                    << (Message() << "x " << shape << " window " << i << ", " << j << " of " << options.kernel
                                  << " stride " << options.stride)
                           .text();
                for (const double value : {values.at(window), only_values.at(window)}) {
                    ASSERT_TRUE(value == expected.value || (value != value && expected.value != expected.value));
                }
            }
        }
    }
}

PoolOptions options(std::int64_t kernel, std::int64_t stride, std::int64_t padding, std::int64_t dilation = 1,
                    bool ceil_mode = false) {
    return {.kernel = {kernel, kernel},
            .stride = {stride, stride},
            .padding = {padding, padding},
            .dilation = {dilation, dilation},
            .ceil_mode = ceil_mode};
}

template <class T>
void expect_every_window() {
    for (const Shape& shape : {Shape{2, 3, 7, 7}, Shape{1, 2, 5, 23}, Shape{1, 1, 40, 41}, Shape{1, 2, 9, 64}}) {
        for (const std::int64_t stride : {1, 2, 3}) {
            expect_pools<T>(shape, options(2, stride, 0));
            expect_pools<T>(shape, options(3, stride, 1));
            expect_pools<T>(shape, options(3, stride, 1, 2));
            expect_pools<T>(shape, options(5, stride, 2, 1, true));
        }
        expect_pools<T>(shape, options(3, 2, 1), 0.05);
        expect_pools<T>(shape, options(3, 1, 0), 0.3);
    }
}

TEST(NdArrayMaxPool, FindsTheFirstLargestOfEveryWindow) {
    for_each_isa([] {
        expect_every_window<float>();
        expect_every_window<double>();
        expect_every_window<f16>();
        expect_every_window<bf16>();
    });
}

// Windows of two or three columns at every second one, around the widths of vectors, of which padding may cut the first and last.
TEST(NdArrayMaxPool, FindsTheLargestOfPairsOfColumns) {
    for_each_isa([] {
        for (std::int64_t width = 8; width < 70; ++width) {
            for (const bool ceil_mode : {false, true}) {
                for (const double nan_share : {0.0, 0.003}) {
                    expect_pools<float>({1, 4, 9, width}, options(3, 2, 1, 1, ceil_mode), nan_share);
                    expect_pools<float>({1, 4, 8, width}, options(3, 2, 0, 1, ceil_mode), nan_share);
                    expect_pools<float>({1, 4, 7, width}, options(2, 2, 0, 1, ceil_mode), nan_share);
                    expect_pools<double>({1, 4, 6, width}, options(3, 2, 1, 1, ceil_mode), nan_share);
                }
            }
        }
        for (const std::int64_t height : {1, 4, 5}) {
            expect_pools<float>(
                {2, 3, 9, 67},
                {.kernel = {height, 3}, .stride = {1, 2}, .padding = {height / 2, 0}, .dilation = {1, 1}}, 0.003);
        }
    });
}

TEST(NdArrayMaxPool, TakesAxesWithOptionsOfTheirOwn) {
    for_each_isa([] {
        expect_pools<float>({1, 2, 12, 30},
                            {.kernel = {1, 4}, .stride = {3, 1}, .padding = {0, 2}, .dilation = {1, 3}});
        expect_pools<float>({1, 2, 12, 30},
                            {.kernel = {5, 2}, .stride = {1, 2}, .padding = {2, 0}, .dilation = {2, 1}});
        expect_pools<float>({1, 2, 8, 3}, {.kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 1}, .dilation = {1, 1}});
        expect_pools<float>({0, 2, 6, 6}, options(2, 2, 0));
    });
}

// By hand: windows of 3 with stride 2 over 0 .. 9, and over their negatives.
TEST(NdArrayMaxPool, PoolsOneAxisOfAView) {
    for_each_isa([] {
        std::vector<float> numbers;
        for (int i = 0; i < 10; ++i) numbers.insert(numbers.end(), {static_cast<float>(i), static_cast<float>(-i)});
        const Handle x = ops::swap_dims(
            ops::reshape(engine().upload(TensorData::from(std::span<const float>(numbers), {20})), {1, 10, 2}), 1, 2);
        const ops::HandleList results =
            ops::max_pool_with_indices(x, {.kernel = {3}, .stride = {2}, .padding = {0}, .dilation = {1}});
        EXPECT_EQ(engine().read(results[0]).wait(),
                  TensorData::from({{{2.0f, 4.0f, 6.0f, 8.0f}, {0.0f, -2.0f, -4.0f, -6.0f}}}));
    });
}

}  // namespace
}  // namespace burn::ndarray::max_pool_test
