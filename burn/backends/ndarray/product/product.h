// The matrix product of an operation as a value, so that a backend made from NdArray can have something else run it.
#pragma once

#include <burn/backends/ndarray/args.h>
#include <burn/backends/ndarray/product/gemm.h>
#include <burn/base/function_ref.h>

namespace burn::ndarray {

/// A matrix whose element type is known at run time; see MatrixView.
struct AnyMatrix {
    std::byte* data = nullptr;
    int64_t row_stride = 0;
    int64_t col_stride = 0;

    template <class T>
    MatrixView<T> view() const {
        return {reinterpret_cast<T*>(data), row_stride, col_stride};
    }
};

/// A batch of products C = A B, or C += A B; see gemm_batched. A and B are only read.
struct Product {
    DType dtype = DType::F32;
    GemmBatch batch;
    GemmShape shape;
    AnyMatrix a, b, c;
    bool accumulate = false;
    const RowsFinished* finished = nullptr;  ///< who is told of C's rows
};

/// Runs a product as NdArray does.
void multiply(const Product& product);

using Multiply = FunctionRef<void(const Product& product)>;

/// ops::MatMul and ops::Linear, their product run by `multiply`.
ops::Handle run_matmul(Args& args, Multiply multiply);
ops::Handle run_linear(Args& args, Multiply multiply);

}  // namespace burn::ndarray
