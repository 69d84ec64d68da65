#include <burn/ops/pool.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

/// How NdArray averages windows side by side: whole numbers, whose sums are exact, by the plain loop over each window.

namespace burn::ndarray::pool_test {
namespace {

using burn::testing::for_each_isa;
using burn::testing::Numbers;
using ops::Handle;

ops::Engine& engine() { return NdArray::engine(0); }

TensorData whole_numbers(const Shape& shape, DType dtype) {
    Numbers random(static_cast<std::uint32_t>(shape.numel()));
    TensorData data(shape, DType::F64);
    for (double& value : data.mutable_values<double>()) value = random.integer<double>(20);
    return data.convert(dtype);
}

struct Range {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t divisor;
};

/// Compares y with averages of x over rows `down[i]` and columns `across[j]`, rounded once to the type.
void expect_averages(const TensorData& x, const TensorData& y, const std::vector<Range>& down,
                     const std::vector<Range>& across) {
    const std::int64_t height = x.shape()[2], width = x.shape()[3];
    ASSERT_EQ(y.shape(), (Shape{x.shape()[0], x.shape()[1], static_cast<std::int64_t>(down.size()),
                                static_cast<std::int64_t>(across.size())}));
    std::int64_t window = 0;
    for (std::int64_t p = 0; p < x.shape()[0] * x.shape()[1]; ++p) {
        for (const Range& rows : down) {
            for (const Range& columns : across) {
                double sum = 0;
                for (std::int64_t r = rows.begin; r < rows.end; ++r) {
                    for (std::int64_t c = columns.begin; c < columns.end; ++c)
                        sum += x.at((p * height + r) * width + c);
                }
                const double average = sum / static_cast<double>(rows.divisor * columns.divisor);
                TensorData expected(Shape{1}, DType::F64);
                expected.mutable_values<double>()[0] = average;
                // f16 and bf16 are divided in f32 and rounded a second time.
                const DType first = y.dtype() == DType::F64 ? DType::F64 : DType::F32;
                ASSERT_EQ(y.at(window), expected.convert(first).convert(y.dtype()).at(0)) << "window " << window;
                ++window;
            }
        }
    }
}

std::vector<Range> windows(std::int64_t size, std::int64_t count, std::int64_t kernel, std::int64_t stride,
                           std::int64_t padding, bool include_pad) {
    std::vector<Range> ranges;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t begin = i * stride - padding, end = std::min(begin + kernel, size + padding);
        const std::int64_t from = std::max<std::int64_t>(begin, 0), to = std::min(end, size);
        ranges.push_back({from, to, include_pad ? end - begin : to - from});
    }
    return ranges;
}

TEST(NdArrayAvgPool, AveragesEveryWindow) {
    for_each_isa([] {
        for (const DType dtype : {DType::F32, DType::F64, DType::BF16}) {
            for (const Shape& shape : {Shape{2, 3, 9, 9}, Shape{1, 2, 6, 40}, Shape{1, 1, 33, 23}}) {
                const TensorData x = whole_numbers(shape, dtype);
                for (const std::int64_t kernel : {2, 3}) {
                    for (const std::int64_t stride : {1, 2, 3}) {
                        for (const bool include_pad : {false, true}) {
                            const Handle y = ops::avg_pool(engine().upload(x), {.kernel = {kernel, kernel},
                                                                                .stride = {stride, stride},
                                                                                .padding = {1, 1},
                                                                                .dilation = {1, 1},
                                                                                .ceil_mode = stride == 2,
                                                                                .count_include_pad = include_pad});
                            expect_averages(x, engine().read(y).wait(),
                                            windows(shape[2], y.shape()[2], kernel, stride, 1, include_pad),
                                            windows(shape[3], y.shape()[3], kernel, stride, 1, include_pad));
                        }
                    }
                }
            }
        }
    });
}

TEST(NdArrayAvgPool, AveragesGridsOfEvenAndUnevenWindows) {
    for_each_isa([] {
        for (const std::int64_t columns : {1, 5, 12, 24, 23}) {
            const Shape shape{1, 2, 10, 24};
            const TensorData x = whole_numbers(shape, DType::F32);
            std::vector<Range> down, across;
            for (std::int64_t i = 0; i < 5; ++i) down.push_back({2 * i, 2 * i + 2, 2});
            for (std::int64_t j = 0; j < columns; ++j) {
                const std::int64_t begin = j * 24 / columns, end = ((j + 1) * 24 + columns - 1) / columns;
                across.push_back({begin, end, end - begin});
            }
            const Handle y = ops::adaptive_avg_pool(engine().upload(x), {5, columns});
            expect_averages(x, engine().read(y).wait(), down, across);
        }
    });
}

/// Whole numbers as the averages' cotangents, times what each window is divided by: every element gets whole numbers.
TEST(NdArrayAvgPool, SpreadsEveryWindowOverItsElements) {
    const auto expect_spread = [](const ops::AnyOp& op, const Shape& x, const std::vector<Range>& down,
                                  const std::vector<Range>& across, DType dtype) {
        const auto rows = static_cast<std::int64_t>(down.size()), columns = static_cast<std::int64_t>(across.size());
        const TensorData parts = whole_numbers({x[0], x[1], rows, columns}, DType::F64);
        TensorData dy(parts.shape(), DType::F64), expected(x, DType::F64);
        std::fill_n(expected.mutable_values<double>().begin(), x.numel(), 0.0);
        for (std::int64_t p = 0; p < x[0] * x[1]; ++p) {
            for (std::int64_t i = 0; i < rows; ++i) {
                for (std::int64_t j = 0; j < columns; ++j) {
                    const std::int64_t window = (p * rows + i) * columns + j;
                    const Range &high = down[static_cast<std::size_t>(i)], &wide = across[static_cast<std::size_t>(j)];
                    dy.mutable_values<double>()[static_cast<std::size_t>(window)] =
                        parts.at(window) * static_cast<double>(high.divisor * wide.divisor);
                    for (std::int64_t r = high.begin; r < high.end; ++r) {
                        for (std::int64_t c = wide.begin; c < wide.end; ++c)
                            expected.mutable_values<double>()[static_cast<std::size_t>((p * x[2] + r) * x[3] + c)] +=
                                parts.at(window);
                    }
                }
            }
        }
        const TensorData dx = engine().read(ops::apply(op, ops::list_of(engine().upload(dy.convert(dtype))))[0]).wait();
        ASSERT_EQ(dx.shape(), x);
        for (std::int64_t i = 0; i < x.numel(); ++i) ASSERT_EQ(dx.at(i), expected.at(i)) << "element " << i;
    };
    for (const DType dtype : {DType::F32, DType::F64, DType::F16}) {
        for (const std::int64_t columns : {1, 3, 5, 8, 24, 31}) {
            std::vector<Range> down, across;
            for (std::int64_t i = 0; i < 3; ++i) down.push_back({i * 7 / 3, (i * 7 + 9) / 3, 0});
            for (std::int64_t j = 0; j < columns; ++j)
                across.push_back({j * 24 / columns, ((j + 1) * 24 + columns - 1) / columns, 0});
            for (auto* axis : {&down, &across}) {
                for (Range& range : *axis) range.divisor = range.end - range.begin;
            }
            expect_spread(ops::AdaptiveAvgPoolGrad{{7, 24}}, {2, 2, 7, 24}, down, across, dtype);
        }
        for (const auto& [kernel, stride] :
             {std::pair<std::int64_t, std::int64_t>{3, 1}, {3, 2}, {3, 3}, {3, 5}, {8, 1}, {8, 3}}) {
            const ops::PoolOptions options{.kernel = {kernel, kernel},
                                           .stride = {stride, stride},
                                           .padding = {1, 1},
                                           .dilation = {1, 1},
                                           .ceil_mode = false,
                                           .count_include_pad = true};
            const std::int64_t rows = (9 + 2 - kernel) / stride + 1, columns = (14 + 2 - kernel) / stride + 1;
            expect_spread(ops::AvgPoolGrad{options, {9, 14}}, {1, 3, 9, 14}, windows(9, rows, kernel, stride, 1, true),
                          windows(14, columns, kernel, stride, 1, true), dtype);
        }
    }
}

}  // namespace
}  // namespace burn::ndarray::pool_test
