// A 3 x 3 depthwise convolution of an image where it lies: what vectors read beside it is masked, so that no padded copy is made,
// which takes longer than the convolution. See PaddedPlane.
//
// Included only by source files of instruction sets whose loads know masks (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/convolution/conv_kernels_microkernel.h>
#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/product/gemm_vector.h>

namespace burn::ndarray {
namespace {

// Bit i: whether element first + i of a row of `width` is one, 0 <= i < 32.
inline std::uint32_t elements_inside(int64_t first, int64_t width) {
    const auto below = [](int64_t i) {
        const int64_t bits = i < 32 ? i : 32;
        return (std::uint64_t{1} << (bits > 0 ? bits : 0)) - 1;
    };
    return static_cast<std::uint32_t>(below(width - first) & ~below(-first));
}

// Outputs of all rows, a vector at column `at` and, of two, another at `second`; of rows shorter than a vector, `width` of them.
// Rows of the image are read once: each adds to the sums of three rows, that begin, go on and end with it. Sums in the order of the
// taps, as everywhere.
template <class T, int Vectors>
[[gnu::always_inline]] inline void padded_strip(const PaddedPlane s, const T* w, int64_t at, int64_t second, int width,
                                                const T* x, T* c) {
    static constexpr T kZeros[3 * kLanes<T>] = {};  // a row of padding
    Vector<T> taps[3][3], sums[3][Vectors] = {};
    unroll<9>([&](auto t) __attribute__((always_inline)) { taps[t / 3][t % 3] = broadcast<T>(w[t]); });
    const int64_t apart = second - at, first = at - s.left;  // first: column of x
    const std::uint32_t inside[2] = {elements_inside(first, s.width), elements_inside(first + apart, s.width)};
    const T* from = x + first - s.top * s.width;
    T* to = c + at - 2 * s.columns;
    for (int64_t row = -s.top; row < s.rows + 2 - s.top; ++row, from += s.width, to += s.columns) {
        // The plane behind this one comes next.
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
            __builtin_prefetch(from + s.height * s.width + v * kLanes<T>);
        });
        const T* image = row >= 0 && row < s.height ? from : kZeros;
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
            sums[2][v] = sums[1][v];
            sums[1][v] = sums[0][v];
            sums[0][v] = Vector<T>{};
            unroll<3>([&](auto q) __attribute__((always_inline)) {
                Vector<T> value = load_masked<T>(image + v * apart + q, inside[v] >> q);
                asm("" : "+v"(value));  // compilers would load it once for each of its three uses
                unroll<3>([&](auto p) __attribute__((always_inline)) {
                    sums[p][v] = multiply_add<T>(taps[p][q], value, sums[p][v]);
                });
            });
        });
        if (row < 2 - s.top) continue;
        if (width < kLanes<T>) {
            store_first<T>(to, sums[2][0], width);
        } else {
            unroll<Vectors>([&](auto v) __attribute__((always_inline)) { store<T>(to + v * apart, sums[2][v]); });
        }
    }
}

template <class T>
void depthwise_padded(const PaddedPlane& s, const T* w, const T* x, T* c) {
    constexpr int64_t lanes = kLanes<T>;
    const int64_t last = s.columns - lanes;  // where the last vector begins, which may overlap its neighbour
    if (last <= 0) return padded_strip<T, 1>(s, w, 0, 0, static_cast<int>(s.columns), x, c);
    for (int64_t j = 0; j < s.columns; j += 2 * lanes) {
        if (j < last)
            padded_strip<T, 2>(s, w, j, j + lanes < last ? j + lanes : last, kLanes<T>, x, c);
        else
            padded_strip<T, 1>(s, w, last, last, kLanes<T>, x, c);
    }
}

}  // namespace
}  // namespace burn::ndarray
