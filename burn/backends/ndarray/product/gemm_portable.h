// The matrix product in plain C++, for any arithmetic type: integers everywhere, floats where there is no operating system.
#pragma once

#include <cstdint>
#include <type_traits>

#include <burn/backends/ndarray/product/gemm.h>
#include <burn/base/config.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// In what a sum of T's products is accumulated: integers in unsigned arithmetic, which wraps where signed overflow would be
/// undefined and gives the same low bits.
template <class T>
struct GemmSum {
    using type = T;
};

template <class T>
    requires std::is_integral_v<T>
struct GemmSum<T> {
    using type = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
};

/// `gemm` for any arithmetic T, without packing or scratch memory. Integers wrap.
///
/// Numerics  sums run over p = 0, 1, ... in T; floats round after every product and every addition
template <class T>
void gemm_portable(const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c,
                   bool accumulate) {
    using Sum = typename GemmSum<T>::type;
    constexpr int rows = 4;
    constexpr int columns = BURN_HOSTED ? 16 : 4;  // small processors keep 4 x 4 sums in registers
    if (shape.m <= 0 || shape.n <= 0) return;
    const int64_t row_tiles = (shape.m + rows - 1) / rows;
    const int64_t column_tiles = (shape.n + columns - 1) / columns;

    const auto tile = [&](int64_t i0, int64_t j0) {
        const int height = static_cast<int>(shape.m - i0 < rows ? shape.m - i0 : rows);
        const int width = static_cast<int>(shape.n - j0 < columns ? shape.n - j0 : columns);
        Sum sums[rows][columns] = {};
        for (int64_t p = 0; p < shape.k; ++p) {
            const T* b_row = b.data + p * b.row_stride + j0 * b.col_stride;
            Sum right[columns] = {};
            if (b.col_stride == 1 && width == columns) {
                for (int j = 0; j < columns; ++j) right[j] = static_cast<Sum>(b_row[j]);
            } else {
                for (int j = 0; j < width; ++j) right[j] = static_cast<Sum>(b_row[j * b.col_stride]);
            }
            for (int i = 0; i < height; ++i) {
                const Sum left = static_cast<Sum>(a.data[(i0 + i) * a.row_stride + p * a.col_stride]);
                for (int j = 0; j < columns; ++j) sums[i][j] += left * right[j];
            }
        }
        for (int i = 0; i < height; ++i) {
            for (int j = 0; j < width; ++j) {
                T& to = c.data[(i0 + i) * c.row_stride + (j0 + j) * c.col_stride];
                to = static_cast<T>(accumulate ? static_cast<Sum>(to) + sums[i][j] : sums[i][j]);
            }
        }
    };

    const int64_t tile_work = rows * columns * (shape.k > 0 ? shape.k : 1);
    parallel_for(row_tiles * column_tiles, 1 + 100'000 / tile_work, [&](int64_t first, int64_t last) {
        for (int64_t t = first; t < last; ++t) tile(t / column_tiles * rows, t % column_tiles * columns);
    });
}

}  // namespace burn::ndarray
