// Several rows of outputs of 3 x 3 taps at once, in registers: each vector of the image is loaded once for all rows that it
// counts in. See conv_kernels_table.h for what is computed.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/conv_kernels_table.h>
#include <burn/backends/ndarray/gemm_vector.h>

namespace burn::ndarray {
namespace {

// Rows of a tile: its sums and nine taps fit sixteen registers.
constexpr int kDepthwiseRows = 4;

template <class T>
struct Taps3x3 {
    Vector<T> of[9];
};

// Sums in the order of the taps, as everywhere.
template <class T, int Rows>
[[gnu::always_inline]] inline void depthwise_sums(const Taps3x3<T>& taps, const T* x, int64_t pitch,
                                                  Vector<T> (&sums)[Rows]) {
    unroll<Rows>([&](auto r) __attribute__((always_inline)) { sums[r] = Vector<T>{}; });
    unroll<Rows + 2>([&](auto row) __attribute__((always_inline)) {
        unroll<3>([&](auto q) __attribute__((always_inline)) {
            const Vector<T> value = load<T>(x + row * pitch + q);
            unroll<3>([&](auto p) __attribute__((always_inline)) {
                constexpr int r = row - p;
                if constexpr (r >= 0 && r < Rows) sums[r] = multiply_add<T>(taps.of[3 * p + q], value, sums[r]);
            });
        });
    });
}

// A vector of columns of all rows, in blocks of which the last overlaps its neighbour. Of a row `width` columns are written
// where these are less than a vector.
template <class T, int Rows>
[[gnu::always_inline]] inline void depthwise_columns(const Taps3x3<T>& taps, int64_t rows, const T* x, int64_t pitch,
                                                     T* c, int64_t columns, int width) {
    for (int64_t first = 0; first < rows; first += Rows) {
        const int64_t row = first + Rows <= rows ? first : rows - Rows;
        Vector<T> sums[Rows];
        depthwise_sums<T, Rows>(taps, x + row * pitch, pitch, sums);
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            T* to = c + (row + r) * columns;
            if (width < kLanes<T>)
                store_first<T>(to, sums[r], width);
            else
                store<T>(to, sums[r]);
        });
    }
}

template <class T, int Rows>
void depthwise_rows(const Taps3x3<T>& taps, int64_t rows, int64_t columns, const T* x, int64_t pitch, T* c) {
    if (columns < kLanes<T>)
        return depthwise_columns<T, Rows>(taps, rows, x, pitch, c, columns, static_cast<int>(columns));
    for (int64_t first = 0; first < columns; first += kLanes<T>) {
        const int64_t j = first + kLanes<T> <= columns ? first : columns - kLanes<T>;
        depthwise_columns<T, Rows>(taps, rows, x + j, pitch, c + j, columns, kLanes<T>);
    }
}

template <class T>
void compute_rows_3x3(int64_t rows, int64_t columns, const T* x, int64_t pitch, const T* w, T* c) {
    Taps3x3<T> taps;
    unroll<9>([&](auto t) __attribute__((always_inline)) { taps.of[t] = broadcast<T>(w[t]); });
    if (rows >= kDepthwiseRows)
        depthwise_rows<T, kDepthwiseRows>(taps, rows, columns, x, pitch, c);
    else
        depthwise_rows<T, 1>(taps, rows, columns, x, pitch, c);
}

}  // namespace
}  // namespace burn::ndarray
