#pragma once

#include <cstddef>
#include <cstdint>

namespace burn::ndarray {

/// A matrix, and where its transpose goes: element `column` of row `row` to element `row` of row `column`. The elements of
/// a row lie side by side on both sides.
///
/// Units    steps from row to row, in bytes
struct Transpose {
    std::byte* to;
    std::int64_t to_step;
    const std::byte* from;
    std::int64_t from_step;
    std::int64_t rows;     ///< of the source; elements of a row of the target
    std::int64_t columns;  ///< of the source
};

/// Matrices with fewer rows or columns than this are no work for TransposeKernels.
constexpr std::int64_t kLeastTranspose = 16;

/// What an instruction set offers to transposing copies. Both sides may have at least kLeastTranspose rows and columns, and
/// must not overlap.
///
/// Memory   every cache line of the source is read once and, but for the edges, every one of the target written once
struct TransposeKernels {
    /// Elements of 1, 2, 4 or 8 bytes.
    void (*copy)(std::size_t element_size, const Transpose& matrix);
    /// The same; past the caches where that is possible, for results that do not fit there.
    void (*stream)(std::size_t element_size, const Transpose& matrix);
};

/// The kernels of the active instruction set (cpu_features.h).
const TransposeKernels& transpose_kernels();

// One source file per instruction set defines its own; those of other processors do not exist.
const TransposeKernels& transpose_kernels_baseline();
const TransposeKernels& transpose_kernels_avx2();
const TransposeKernels& transpose_kernels_avx512();

}  // namespace burn::ndarray
