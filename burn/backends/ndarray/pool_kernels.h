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

/// Rows of fewer windows than this are no work for PoolKernels.
constexpr std::int64_t kLeastWindows = 4;

/// The strides that PoolKernels know: 1 and 2.
constexpr std::int64_t kPoolStrides = 2;

/// What an instruction set offers to pooling, by stride - 1. Nothing is read but elements of windows.
template <class T>
struct PoolKernels {
    /// The largest element of every window, and its place, the first element of x being `place`; the first of equals, or
    /// the first NaN. Places fit 31 bits.
    void (*max[kPoolStrides])(const WindowRow<T>& row, std::int64_t place, T* values, std::int64_t* places);

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
