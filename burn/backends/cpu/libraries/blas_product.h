#pragma once

#include <burn/backends/ndarray/product/product.h>
#include <burn/base/function_ref.h>

namespace burn::cpu {

/// An operand as BLAS wants it: row-major with rows `stride` apart, or the transpose of such a matrix.
template <class T>
struct BlasOperand {
    const T* data = nullptr;
    std::int64_t stride = 1;
    bool transposed = false;

    /// Distance of neighbours in a row, and in a column, of the operand itself.
    std::int64_t along_row() const { return transposed ? stride : 1; }
    std::int64_t along_column() const { return transposed ? 1 : stride; }
};

/// C [m, n] = A [m, k] B [k, n], or C += A B. All sizes are positive and fit an int, as do the strides; C's rows are `c_stride`
/// apart.
template <class T>
struct BlasProduct {
    int m = 0, n = 0, k = 0;
    BlasOperand<T> a, b;
    T* c = nullptr;
    std::int64_t c_stride = 1;
    bool accumulate = false;
};

/// Whether all products of the batch can be written as BlasProduct.
bool fits_blas(const ndarray::Product& product);

/// Calls `one` for pieces that together are the product, several at once on different threads, each on one; tells of the rows
/// that pieces finish.
///
/// The pieces depend on sizes, strides and num_threads() only: not on which threads are free.
template <class T>
void for_each_blas_product(const ndarray::Product& product, FunctionRef<void(const BlasProduct<T>&)> one);

extern template void for_each_blas_product<float>(const ndarray::Product&,
                                                  FunctionRef<void(const BlasProduct<float>&)>);
extern template void for_each_blas_product<double>(const ndarray::Product&,
                                                   FunctionRef<void(const BlasProduct<double>&)>);

}  // namespace burn::cpu
