// Matrix product on raw memory, with any strides.
#pragma once

#include <burn/backends/ndarray/product/rows_finished.h>

#include <cstdint>

namespace burn::ndarray {

/// Sizes of C [m, n] = A [m, k] * B [k, n].
struct GemmShape {
    int64_t m = 0;
    int64_t n = 0;
    int64_t k = 0;
};

/// A matrix somewhere in memory: element (i, j) is at data[i * row_stride + j * col_stride].
///
/// Units    strides count elements; they may be negative (reversed axes), and 0 in operands that are only read (broadcast axes)
template <class T>
struct MatrixView {
    T* data = nullptr;
    int64_t row_stride = 0;
    int64_t col_stride = 0;
};

/// C = A * B, or C += A * B when `accumulate`. k = 0 is a sum of nothing: C = 0, or C unchanged.
///
///   c[i, j] = (accumulate ? c[i, j] : 0) + sum over p of a[i, p] * b[p, j]
///
/// Shapes    a [m, k], b [k, n] -> c [m, n]; c does not overlap a or b, and its elements do not overlap each other
/// Numerics  Every element is summed in an order that depends on the shape and strides only: the same bits for any number of
///           threads and from run to run. Products are fused into the sum (one rounding) where the processor can, so results
///           of different instruction sets differ in the last bits.
/// Memory    packs blocks of A and B into scratch blocks, at most some 6 MB and 1 MB more per thread
void gemm(const GemmShape& shape, MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> c,
          bool accumulate = false);
void gemm(const GemmShape& shape, MatrixView<const double> a, MatrixView<const double> b, MatrixView<double> c,
          bool accumulate = false);

/// Many products of one shape: the axes in front of the last two.
///
/// Units    strides count elements, one per batch axis; 0 repeats an operand along that axis
struct GemmBatch {
    static constexpr int kMaxRank = 8;
    int rank = 0;
    int64_t sizes[kMaxRank] = {};
    int64_t a_strides[kMaxRank] = {};
    int64_t b_strides[kMaxRank] = {};
    int64_t c_strides[kMaxRank] = {};
};

/// How many products a batch is.
inline int64_t batch_size(const GemmBatch& batch) {
    int64_t count = 1;
    for (int axis = 0; axis < batch.rank; ++axis) count *= batch.sizes[axis];
    return count;
}

/// Makes one larger product of several where that is all the same: a last batch axis along which B repeats and A and C go on as
/// further rows, or which has one index, is no batch axis.
inline void merge_rows(GemmBatch& batch, GemmShape& shape, int64_t a_row_stride, int64_t c_row_stride) {
    while (batch.rank > 0) {
        const int axis = batch.rank - 1;
        const bool more_rows = batch.b_strides[axis] == 0 && batch.a_strides[axis] == shape.m * a_row_stride &&
                               batch.c_strides[axis] == shape.m * c_row_stride;
        if (!more_rows && batch.sizes[axis] != 1) break;
        shape.m *= batch.sizes[axis];
        --batch.rank;
    }
}

/// `gemm` for every index of the batch; the views are those of index 0. `finished` is told of C's rows, which are counted through
/// the batch: row i of index j is row j * m + i.
///
/// Numerics  as gemm; the same bits as calling gemm once per index, unless that were products of one row that `merge_rows`
///           makes rows of one larger product
void gemm_batched(const GemmBatch& batch, const GemmShape& shape, MatrixView<const float> a, MatrixView<const float> b,
                  MatrixView<float> c, bool accumulate = false, const RowsFinished* finished = nullptr);
void gemm_batched(const GemmBatch& batch, const GemmShape& shape, MatrixView<const double> a,
                  MatrixView<const double> b, MatrixView<double> c, bool accumulate = false,
                  const RowsFinished* finished = nullptr);

}  // namespace burn::ndarray
