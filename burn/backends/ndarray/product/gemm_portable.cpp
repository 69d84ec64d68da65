// gemm for f32 and f64 where there is no operating system: nothing to choose at run time, no memory to spend on packing.
#include <burn/backends/ndarray/product/gemm_any.h>

namespace burn::ndarray {

void gemm(const GemmShape& shape, MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> c,
          bool accumulate) {
    gemm_portable(shape, a, b, c, accumulate);
}

void gemm(const GemmShape& shape, MatrixView<const double> a, MatrixView<const double> b, MatrixView<double> c,
          bool accumulate) {
    gemm_portable(shape, a, b, c, accumulate);
}

void gemm_batched(const GemmBatch& batch, const GemmShape& shape, MatrixView<const float> a, MatrixView<const float> b,
                  MatrixView<float> c, bool accumulate, const RowsFinished* finished) {
    for_each_matrix(batch, a, b, c,
                    [&](auto ai, auto bi, auto ci) { gemm_portable<float>(shape, ai, bi, ci, accumulate); });
    finish_rows(finished, 0, batch_size(batch) * shape.m, shape.n);
}

void gemm_batched(const GemmBatch& batch, const GemmShape& shape, MatrixView<const double> a,
                  MatrixView<const double> b, MatrixView<double> c, bool accumulate, const RowsFinished* finished) {
    for_each_matrix(batch, a, b, c,
                    [&](auto ai, auto bi, auto ci) { gemm_portable<double>(shape, ai, bi, ci, accumulate); });
    finish_rows(finished, 0, batch_size(batch) * shape.m, shape.n);
}

}  // namespace burn::ndarray
