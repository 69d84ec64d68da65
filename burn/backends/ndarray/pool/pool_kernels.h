#pragma once

#include <cstdint>

namespace burn::ndarray {

/// A row of windows that lie wholly inside a plane: the elements of window j are x[r * row_step + c * column_step + j * stride]
/// for r < rows, c < columns.
template <class T>
struct WindowRow {
    const T* x;
    std::int64_t rows;
    std::int64_t row_step;
    std::int64_t columns;
    std::int64_t column_step;
    std::int64_t count;  ///< of windows
};

/// Rows of x that windows see: element c of row r is x[r * row_step + c].
template <class T>
struct ColumnRows {
    const T* x;
    std::int64_t rows;  ///< > 0
    std::int64_t row_step;
    std::int64_t columns;
};

/// Rows of fewer windows than this are no work for PoolKernels.
constexpr std::int64_t kLeastWindows = 4;

/// The strides that PoolKernels know: 1 and 2.
constexpr std::int64_t kPoolStrides = 2;

/// What an instruction set offers to pooling; tables are by stride - 1. Nothing is read but elements of windows.
template <class T>
struct PoolKernels {
    /// The largest element of every window, and its place, the first element of x being `place`; the first of equals, or
    /// the first NaN. Places fit 31 bits.
    void (*max[kPoolStrides])(const WindowRow<T>& row, std::int64_t place, T* values, std::int64_t* places);

    /// The largest of each column of some rows. With stride 2 columns 0, 2, .. go to `even` and the others to `odd`; with
    /// stride 1 all go to `even`. Returns whether there is a NaN among them; then what was written is not to be used.
    bool (*column_maxima[kPoolStrides])(const ColumnRows<T>& rows, T* even, T* odd);

    /// values[j] = the largest of line[taps[t] + j] over t, for j < count. Nothing read is NaN.
    void (*largest_of_taps)(const T* line, const std::int64_t* taps, std::int64_t tap_count, std::int64_t count,
                            T* values);

    /// The sum of every window, in order, divided by `divisor`.
    void (*average[kPoolStrides])(const WindowRow<T>& row, T divisor, T* averages);
};

/// The kernels of the active instruction set (cpu_features.h).
template <class T>
const PoolKernels<T>& pool_kernels();

// One source file per instruction set defines its pair; those of other processors do not exist.
const PoolKernels<float>& pool_kernels_baseline(float);
const PoolKernels<double>& pool_kernels_baseline(double);
const PoolKernels<float>& pool_kernels_avx2(float);
const PoolKernels<double>& pool_kernels_avx2(double);

}  // namespace burn::ndarray
