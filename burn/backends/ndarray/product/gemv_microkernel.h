// The product of a vector and a matrix, which reads the matrix once, where it lies; see gemm_kernels.h.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/product/gemm_vector.h>

namespace burn::ndarray {
namespace {

// Rows of B that are added at once: y is loaded and stored once for all of them. More where rows are long, and where the next ones
// are fetched while these are added (see fetches_rows_early); in the caches, what is fetched early only takes time.
constexpr int kAddedRows = 4;
constexpr int kLongAddedRows = 8;
constexpr int64_t kLongRow = 8192;  // bytes
// Rows of B that are multiplied with x at once, likewise, and vectors of each in flight. More rows, but no more vectors: each row
// is summed in one order.
constexpr int kDottedRows = 4;
constexpr int kFetchingDottedRows = kVectorBytes == 64 ? 8 : 6;
constexpr int kDottedVectors = 2;

// `next`: rows that are needed soon; where there is Fetch.
template <class T, int Rows, bool Fetch>
void add_some_rows(int64_t columns, const T* x, const T* b, int64_t row_stride, const T* next, T* y) {
    Vector<T> factor[Rows];
    unroll<Rows>([&](auto r) __attribute__((always_inline)) { factor[r] = broadcast<T>(x[r]); });
    const int64_t whole = columns / kLanes<T> * kLanes<T>;
    const int rest = static_cast<int>(columns - whole);
    for (int64_t j = 0; j < whole; j += kLanes<T>) {
        Vector<T> sum = load<T>(y + j);
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            if constexpr (Fetch) __builtin_prefetch(next + r * row_stride + j, 0, 2);
            sum = multiply_add<T>(factor[r], load<T>(b + r * row_stride + j), sum);
        });
        store<T>(y + j, sum);
    }
    if (rest == 0) return;
    Vector<T> sum = load_first<T>(y + whole, rest);
    unroll<Rows>([&](auto r) __attribute__((always_inline)) {
        sum = multiply_add<T>(factor[r], load_first<T>(b + r * row_stride + whole, rest), sum);
    });
    store_first<T>(y + whole, sum, rest);
}

template <class T>
void add_rows(int64_t depth, int64_t columns, const T* x, const T* b, int64_t row_stride, bool fetch, T* y) {
    int64_t p = 0;
    for (; fetch && p + 2 * kLongAddedRows <= depth; p += kLongAddedRows) {
        const T* rows = b + p * row_stride;
        add_some_rows<T, kLongAddedRows, true>(columns, x + p, rows, row_stride, rows + kLongAddedRows * row_stride, y);
    }
    const bool is_long = columns * static_cast<int64_t>(sizeof(T)) >= kLongRow;
    for (; is_long && p + kLongAddedRows <= depth; p += kLongAddedRows) {
        add_some_rows<T, kLongAddedRows, false>(columns, x + p, b + p * row_stride, row_stride, nullptr, y);
    }
    for (; p + kAddedRows <= depth; p += kAddedRows) {
        add_some_rows<T, kAddedRows, false>(columns, x + p, b + p * row_stride, row_stride, nullptr, y);
    }
    for (; p < depth; ++p) add_some_rows<T, 1, false>(columns, x + p, b + p * row_stride, row_stride, nullptr, y);
}

template <class T>
[[gnu::always_inline]] inline T sum_of_lanes(Vector<T> value) {
    T lanes[kLanes<T>];
    store<T>(lanes, value);
    for (int half = kLanes<T> / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

// `next`: rows that are needed soon; where there is Fetch.
template <class T, int Rows, bool Fetch>
void dot_some_rows(int64_t depth, const T* x, const T* b, int64_t row_stride, const T* next, T* y) {
    constexpr int64_t step = kDottedVectors * kLanes<T>;
    Vector<T> sums[Rows][kDottedVectors];
    unroll<Rows>([&](auto r) __attribute__((always_inline)) {
        unroll<kDottedVectors>([&](auto v) __attribute__((always_inline)) { sums[r][v] = Vector<T>{}; });
    });
    int64_t p = 0;
    for (; p + step <= depth; p += step) {
        unroll<kDottedVectors>([&](auto v) __attribute__((always_inline)) {
            const Vector<T> factor = load<T>(x + p + v * kLanes<T>);
            unroll<Rows>([&](auto r) __attribute__((always_inline)) {
                const int64_t place = r * row_stride + p + v * kLanes<T>;
                const T* from = b + place;
                if constexpr (Fetch) __builtin_prefetch(next + place, 0, 2);
                sums[r][v] = multiply_add<T>(factor, load<T>(from), sums[r][v]);
            });
        });
    }
    for (; p < depth; p += kLanes<T>) {
        const int count = depth - p < kLanes<T> ? static_cast<int>(depth - p) : kLanes<T>;
        const bool whole = count == kLanes<T>;
        const Vector<T> factor = whole ? load<T>(x + p) : load_first<T>(x + p, count);
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            const T* from = b + r * row_stride + p;
            sums[r][0] = multiply_add<T>(factor, whole ? load<T>(from) : load_first<T>(from, count), sums[r][0]);
        });
    }
    unroll<Rows>([&](auto r) __attribute__((always_inline)) {
        unroll<kDottedVectors - 1>([&](auto v) __attribute__((always_inline)) { sums[r][0] += sums[r][v + 1]; });
        y[r] = sum_of_lanes<T>(sums[r][0]);
    });
}

template <class T>
void dot_rows(int64_t rows, int64_t depth, const T* x, const T* b, int64_t row_stride, bool fetch, T* y) {
    int64_t r = 0;
    for (; fetch && r + 2 * kFetchingDottedRows <= rows; r += kFetchingDottedRows) {
        const T* from = b + r * row_stride;
        dot_some_rows<T, kFetchingDottedRows, true>(depth, x, from, row_stride, from + kFetchingDottedRows * row_stride,
                                                    y + r);
    }
    for (; r + kDottedRows <= rows; r += kDottedRows)
        dot_some_rows<T, kDottedRows, false>(depth, x, b + r * row_stride, row_stride, nullptr, y + r);
    for (; r < rows; ++r) dot_some_rows<T, 1, false>(depth, x, b + r * row_stride, row_stride, nullptr, y + r);
}

}  // namespace
}  // namespace burn::ndarray
