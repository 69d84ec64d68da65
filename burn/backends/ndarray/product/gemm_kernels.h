// What an instruction set offers to the matrix product: a table of small kernels over packed panels.
//
//   packed A tile   rows <= max_rows:        element (i, p) at [p * rows + i]
//   packed B panel  `panel` columns wide:    element (p, j) at [p * panel + j], columns beyond n are 0
//
// A tile's sum for one element is always  acc = a(0) * b(0), acc = a(p) * b(p) + acc in the order of p, wherever in which
// tile the element lies; so how a matrix is cut into tiles cannot be seen in the result.
#pragma once

#include <cstdint>

namespace burn::ndarray {

/// What will be needed after a tile and may be fetched meanwhile: step p of its depth asks for data + p * step.
///
/// Units    step counts bytes
struct Later {
    const void* data = nullptr;
    int64_t step = 0;
};

template <class T>
struct GemmKernels {
    int max_rows;         ///< rows of the largest tile
    int lanes;            ///< elements of a vector
    int panel;            ///< columns of a tile: a whole number of vectors
    int64_t depth_block;  ///< of A's and B's depth, how much is packed at once
    int64_t
        row_block;  ///< rows of A packed at once and multiplied by one panel of B after the other; a core keeps them
                    ///< in its second cache, or in the first if it is one tile
    int64_t
        column_block;  ///< columns of B packed at once: for the shared cache, or the second if row_block is one tile
    int64_t few_rows;  ///< up to so many rows of A, B is not packed whole but panel by panel

    /// Packs `rows` rows of A into a tile. May write `lanes` elements beyond its end.
    void (*pack_rows)(int rows, int64_t depth, const T* a, int64_t row_stride, int64_t depth_stride, T* tile);
    /// Packs `columns` <= panel columns of B into a panel.
    void (*pack_columns)(int columns, int64_t depth, const T* b, int64_t depth_stride, int64_t col_stride, T* panel);
    /// C [rows, columns] (+)= A [rows, depth] * B, A as it lies in memory, B's rows being b_stride apart and `panel` readable
    /// columns wide.
    void (*strided_tile)(int rows, int columns, int64_t depth, const T* a, int64_t a_row_stride, int64_t a_depth_stride,
                         const T* b, int64_t b_stride, T* c, int64_t c_stride, bool accumulate, Later later);
    /// The same for a packed tile of A.
    void tile(int rows, int columns, int64_t depth, const T* a, const T* b, int64_t b_stride, T* c, int64_t c_stride,
              bool accumulate) const {
        strided_tile(rows, columns, depth, a, 1, rows, b, b_stride, c, c_stride, accumulate, {a, 0});
    }

    /// y[j] = x[p] * b[p][j] + y[j] for j < columns, in the order of p; b's rows are row_stride apart. `fetch`: those needed next are
    /// asked for early.
    void (*add_rows)(int64_t depth, int64_t columns, const T* x, const T* b, int64_t row_stride, bool fetch, T* y);
    /// y[i] = sum over p < depth of x[p] * b[i][p] for i < rows, in an order that depends on depth only.
    void (*dot_rows)(int64_t rows, int64_t depth, const T* x, const T* b, int64_t row_stride, bool fetch, T* y);
};

/// The table of the active instruction set (cpu_features.h).
template <class T>
const GemmKernels<T>& gemm_kernels();

// One source file per instruction set defines its pair; those of other processors do not exist.
const GemmKernels<float>& gemm_kernels_baseline(float);
const GemmKernels<double>& gemm_kernels_baseline(double);
const GemmKernels<float>& gemm_kernels_avx2(float);
const GemmKernels<double>& gemm_kernels_avx2(double);
const GemmKernels<float>& gemm_kernels_avx512(float);
const GemmKernels<double>& gemm_kernels_avx512(double);

}  // namespace burn::ndarray
