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

/// The elements of one axis that a window sees: begin, begin + dilation, .. before end.
struct Reach {
    std::int64_t begin;
    std::int64_t end;
};

/// Lines that WindowRows have.
constexpr std::int64_t kPoolLines = 8;

/// Rows of windows of one plane, and lines of numbers to work on: the largest of the columns of x that a row of windows sees.
/// What neighbouring windows see lies side by side there; windows see padding where no column is, which holds what is never chosen.
template <class T>
struct WindowRows {
    const T* x;
    std::int64_t width;      ///< elements from row to row of x
    std::int64_t columns;    ///< of x that windows see
    const Reach* rows;       ///< of x, for each row of windows
    std::int64_t row_step;   ///< between rows that a window sees
    std::int64_t count;      ///< of rows of windows
    T* lines;                ///< kPoolLines of them
    std::int64_t line_size;  ///< elements from line to line
    T* phases[2];            ///< where columns 0 and 1 of the first line go; the second is of use with stride 2 only
    const std::int64_t*
        taps;  ///< window j sees line[taps[t] + j], line[taps[t] + j * stride] with a stride kernels do not know
    std::int64_t tap_count;
    std::int64_t stride;
    std::int64_t padding;  ///< columns of it in front of x
    bool is_dense;         ///< whether the elements of a window are neighbours, in both directions
    std::int64_t windows;  ///< in a row
    T* values;             ///< of all windows
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

    /// The values of every window from row `row` on. Ends before a row of windows that sees a NaN; returns that row, or the number of
    /// rows. The first is for strides that are not in the table, too.
    std::int64_t (*max_values[kPoolStrides])(const WindowRows<T>& windows, std::int64_t row);

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
const PoolKernels<float>& pool_kernels_avx512(float);
const PoolKernels<double>& pool_kernels_avx512(double);

}  // namespace burn::ndarray
