// The nine sums of a 3 x 3 filter's gradient in registers: each vector of x is loaded once for the three rows of dy that it meets.
// See conv_kernels_depthwise_weight.h.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_weight.h>
#include <burn/backends/ndarray/product/gemm_vector.h>

namespace burn::ndarray {
namespace {

// Columns [0, width) of a vector, all of them where Whole; lanes beyond count as 0.
template <class T, bool Whole>
[[gnu::always_inline]] inline Vector<T> load_columns(const T* from, int width) {
    return Whole ? load<T>(from) : load_first<T>(from, width);
}

// One vector of columns of all rows: row r of x times rows r, r - 1 and r - 2 of dy.
template <class T, bool Whole>
void add_columns(int64_t rows, int64_t columns, int width, const T* dy, const T* x, int64_t pitch, T* sums) {
    Vector<T> acc[3][3], of_dy[3] = {};
    unroll<9>([&](auto t) __attribute__((always_inline)) { acc[t / 3][t % 3] = Vector<T>{}; });
    const auto add_row = [&](int64_t r, auto is_inner) __attribute__((always_inline)) {
        of_dy[2] = of_dy[1];
        of_dy[1] = of_dy[0];
        if (is_inner || r < rows) of_dy[0] = load_columns<T, Whole>(dy + r * columns, width);
        unroll<3>([&](auto q) __attribute__((always_inline)) {
            const Vector<T> value = load_columns<T, Whole>(x + r * pitch + q, width);
            unroll<3>([&](auto p) __attribute__((always_inline)) {
                // Rows that dy has not are left out: x may be infinite there.
                if (is_inner || (r >= p && r - p < rows)) acc[p][q] = multiply_add<T>(of_dy[p], value, acc[p][q]);
            });
        });
    };
    int64_t r = 0;
    for (; r < 2; ++r) add_row(r, std::false_type());
    for (; r < rows; ++r) add_row(r, std::true_type());
    for (; r < rows + 2; ++r) add_row(r, std::false_type());
    unroll<9>([&](auto t) __attribute__((always_inline)) {
        T* to = sums + t * kLanes<T>;
        store<T>(to, load<T>(to) + acc[t / 3][t % 3]);
    });
}

template <class T>
void add_depthwise_weight(int64_t rows, int64_t columns, const T* dy, const T* x, int64_t pitch, T* sums) {
    int64_t j = 0;
    for (; j + kLanes<T> <= columns; j += kLanes<T>) {
        add_columns<T, true>(rows, columns, kLanes<T>, dy + j, x + j, pitch, sums);
    }
    if (j < columns) {
        add_columns<T, false>(rows, columns, static_cast<int>(columns - j), dy + j, x + j, pitch, sums);
    }
}

}  // namespace
}  // namespace burn::ndarray
