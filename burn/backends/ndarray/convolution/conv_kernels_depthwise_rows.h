// Several rows of outputs of a plane at once, in registers: each vector of the image is loaded once for all rows that it counts
// in. See conv_kernels_table.h for what is computed.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/product/gemm_vector.h>

namespace burn::ndarray {
namespace {

// Rows of a tile: with 3 x 3 taps, its sums and the taps fit sixteen registers.
constexpr int kDepthwiseRows = 4;
// Vectors of a row in a tile: more taps are read from memory, each for two vectors.
template <int Side>
constexpr int kDepthwiseVectors = Side == 3 ? 1 : 2;

template <class T, int Side>
struct SquareTaps {
    Vector<T> of[Side][Side];
};

// Sums in the order of the taps, as everywhere.
template <class T, int Side, int Rows, int Vectors>
[[gnu::always_inline]] inline void depthwise_sums(const SquareTaps<T, Side>& taps, const T* x, int64_t pitch,
                                                  Vector<T> (&sums)[Rows][Vectors]) {
    unroll<Rows>([&](auto r) __attribute__((always_inline)) {
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) { sums[r][v] = Vector<T>{}; });
    });
    unroll<Rows + Side - 1>([&](auto row) __attribute__((always_inline)) {
        unroll<Side>([&](auto q) __attribute__((always_inline)) {
            Vector<T> values[Vectors];
            unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
                values[v] = load<T>(x + row * pitch + q + v * kLanes<T>);
            });
            unroll<Side>([&](auto p) __attribute__((always_inline)) {
                constexpr int r = row - p;
                if constexpr (r >= 0 && r < Rows) {
                    unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
                        sums[r][v] = multiply_add<T>(taps.of[p][q], values[v], sums[r][v]);
                    });
                }
            });
        });
    });
}

// Some vectors of columns of all rows, in blocks of which the last overlaps its neighbour. Of a row `width` columns are written
// where these are less than a vector.
template <class T, int Side, int Rows, int Vectors>
[[gnu::always_inline]] inline void depthwise_columns(const SquareTaps<T, Side>& taps, int64_t rows, const T* x,
                                                     int64_t pitch, T* c, int64_t columns, int width) {
    for (int64_t first = 0; first < rows; first += Rows) {
        const int64_t row = first + Rows <= rows ? first : rows - Rows;
        Vector<T> sums[Rows][Vectors];
        depthwise_sums<T, Side, Rows, Vectors>(taps, x + row * pitch, pitch, sums);
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            T* to = c + (row + r) * columns;
            if (width < kLanes<T>) return store_first<T>(to, sums[r][0], width);
            unroll<Vectors>([&](auto v) __attribute__((always_inline)) { store<T>(to + v * kLanes<T>, sums[r][v]); });
        });
    }
}

template <class T, int Side, int Rows>
void depthwise_rows(const SquareTaps<T, Side>& taps, int64_t rows, int64_t columns, const T* x, int64_t pitch, T* c) {
    constexpr int vectors = kDepthwiseVectors<Side>;
    int64_t j = 0;
    if constexpr (vectors > 1) {
        for (; j + vectors * kLanes<T> <= columns; j += vectors * kLanes<T>)
            depthwise_columns<T, Side, Rows, vectors>(taps, rows, x + j, pitch, c + j, columns, kLanes<T>);
    }
    for (; j < columns; j += kLanes<T>) {
        const int64_t at = j + kLanes<T> <= columns || columns < kLanes<T> ? j : columns - kLanes<T>;
        const int width = static_cast<int>(columns < kLanes<T> ? columns : kLanes<T>);
        depthwise_columns<T, Side, Rows, 1>(taps, rows, x + at, pitch, c + at, columns, width);
    }
}

template <class T, int Side>
void depthwise_square(int64_t rows, int64_t columns, const T* w, const T* x, int64_t pitch, T* c) {
    SquareTaps<T, Side> taps;
    unroll<Side * Side>([&](auto t)
                            __attribute__((always_inline)) { taps.of[t / Side][t % Side] = broadcast<T>(w[t]); });
    if (rows >= kDepthwiseRows)
        depthwise_rows<T, Side, kDepthwiseRows>(taps, rows, columns, x, pitch, c);
    else
        depthwise_rows<T, Side, 1>(taps, rows, columns, x, pitch, c);
}

template <class T>
constexpr DepthwiseKernels<T> make_depthwise_kernels() {
    return {{depthwise_square<T, 3>, depthwise_square<T, 5>, depthwise_square<T, 7>}};
}

}  // namespace
}  // namespace burn::ndarray
