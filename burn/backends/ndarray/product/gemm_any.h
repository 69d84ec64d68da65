// The matrix product for every element type: gemm (f32, f64), gemm_portable (integers), gemm_widened (half types).
#pragma once

#include <cstdint>
#include <type_traits>

#include <burn/backends/ndarray/product/gemm.h>
#include <burn/backends/ndarray/product/gemm_portable.h>
#include <burn/backends/ndarray/product/gemm_widened.h>

namespace burn::ndarray {

/// `gemm` for any element type.
///
/// DTypes    f32, f64; integers, which wrap; any other T that converts explicitly to and from float (f16, bf16): those are
///           summed in f32 and rounded once
template <class T>
void gemm_any(const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c,
              bool accumulate = false) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        gemm(shape, a, b, c, accumulate);
    } else if constexpr (std::is_integral_v<T>) {
        gemm_portable<T>(shape, a, b, c, accumulate);
    } else {
        gemm_widened<T>(shape, a, b, c, accumulate);
    }
}

/// Calls one(a, b, c) with the views of every index of the batch, in row-major order.
template <class T, class One>
void for_each_matrix(const GemmBatch& batch, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c, One one) {
    const int64_t count = batch_size(batch);
    int64_t at[GemmBatch::kMaxRank] = {};
    for (int64_t index = 0; index < count; ++index) {
        one(a, b, c);
        for (int axis = batch.rank - 1; axis >= 0; --axis) {
            a.data += batch.a_strides[axis];
            b.data += batch.b_strides[axis];
            c.data += batch.c_strides[axis];
            if (++at[axis] < batch.sizes[axis]) break;
            at[axis] = 0;
            a.data -= batch.sizes[axis] * batch.a_strides[axis];
            b.data -= batch.sizes[axis] * batch.b_strides[axis];
            c.data -= batch.sizes[axis] * batch.c_strides[axis];
        }
    }
}

/// `gemm_batched` for any element type; see gemm_any.
template <class T>
void gemm_batched_any(const GemmBatch& batch, const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b,
                      MatrixView<T> c, bool accumulate = false, const RowsFinished* finished = nullptr) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        gemm_batched(batch, shape, a, b, c, accumulate, finished);
    } else {
        for_each_matrix(batch, a, b, c, [&](MatrixView<const T> ai, MatrixView<const T> bi, MatrixView<T> ci) {
            gemm_any<T>(shape, ai, bi, ci, accumulate);
        });
        finish_rows(finished, 0, batch_size(batch) * shape.m, shape.n);
    }
}

}  // namespace burn::ndarray
