#include <burn/backends/cpu/libraries/blas_product.h>

#include <burn/backends/ndarray/partition.h>
#include <burn/base/parallel.h>

#include <algorithm>
#include <limits>

namespace burn::cpu {

namespace {

using ndarray::AnyMatrix;
using ndarray::finish_rows;
using ndarray::GemmBatch;
using ndarray::Product;
using ndarray::RowsFinished;

constexpr std::int64_t kLargest = std::numeric_limits<int>::max();

/// Rows and columns of C are cut where whole vectors begin.
constexpr std::int64_t kVector = 16;

bool lies_in_rows(const AnyMatrix& matrix, std::int64_t rows, std::int64_t columns) {
    return (matrix.col_stride == 1 || columns == 1) && (matrix.row_stride >= columns || rows == 1) &&
           matrix.row_stride <= kLargest;
}

bool lies_in_columns(const AnyMatrix& matrix, std::int64_t rows, std::int64_t columns) {
    return lies_in_rows({matrix.data, matrix.col_stride, matrix.row_stride}, columns, rows);
}

/// A stride that is never used may be anything, but BLAS wants at least the length of a row.
std::int64_t leading(std::int64_t stride, std::int64_t lines, std::int64_t length) {
    return lines == 1 ? length : stride;
}

template <class T>
BlasOperand<T> operand(const AnyMatrix& matrix, std::int64_t rows, std::int64_t columns) {
    const auto* data = reinterpret_cast<const T*>(matrix.data);
    if (lies_in_rows(matrix, rows, columns)) return {data, leading(matrix.row_stride, rows, columns), false};
    return {data, leading(matrix.col_stride, columns, rows), true};
}

/// The part of a product with rows [row, row_end) and columns [column, column_end) of C.
template <class T>
BlasProduct<T> part(const BlasProduct<T>& whole, std::int64_t row, std::int64_t row_end, std::int64_t column,
                    std::int64_t column_end) {
    BlasProduct<T> piece = whole;
    piece.m = static_cast<int>(row_end - row);
    piece.n = static_cast<int>(column_end - column);
    piece.a.data += row * whole.a.along_column();
    piece.b.data += column * whole.b.along_row();
    piece.c += row * whole.c_stride + column;
    return piece;
}

/// One product on all threads: the longer side of C is cut. `first_row`: what `finished` counts its rows from.
template <class T>
void run_in_pieces(const BlasProduct<T>& whole, FunctionRef<void(const BlasProduct<T>&)> one,
                   const RowsFinished* finished, std::int64_t first_row) {
    const bool by_rows = whole.m >= whole.n;
    const std::int64_t length = by_rows ? whole.m : whole.n, vectors = ndarray::ceil_div(length, kVector);
    const std::int64_t work = std::int64_t{whole.m} * whole.n * whole.k;
    const std::int64_t pieces =
        std::clamp<std::int64_t>(work / ndarray::kThreadWork, 1, std::min<std::int64_t>(num_threads(), vectors));
    parallel_for(pieces, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t piece = first; piece < last; ++piece) {
            const std::int64_t begin = ndarray::cut(vectors, pieces, piece) * kVector;
            const std::int64_t end = std::min(length, ndarray::cut(vectors, pieces, piece + 1) * kVector);
            one(by_rows ? part(whole, begin, end, 0, whole.n) : part(whole, 0, whole.m, begin, end));
            if (by_rows) finish_rows(finished, first_row + begin, first_row + end, whole.n);
        }
    });
    if (!by_rows) finish_rows(finished, first_row, first_row + whole.m, whole.n);
}

}  // namespace

bool fits_blas(const Product& product) {
    GemmBatch batch = product.batch;
    ndarray::GemmShape s = product.shape;
    merge_rows(batch, s, product.a.row_stride, product.c.row_stride);
    for (int axis = 0; axis < batch.rank; ++axis) {
        if (batch.sizes[axis] < 1) return false;
    }
    if (std::min({s.m, s.n, s.k}) < 1 || std::max({s.m, s.n, s.k}) > kLargest) return false;
    const auto fits = [](const AnyMatrix& matrix, std::int64_t rows, std::int64_t columns) {
        return lies_in_rows(matrix, rows, columns) || lies_in_columns(matrix, rows, columns);
    };
    return fits(product.a, s.m, s.k) && fits(product.b, s.k, s.n) && lies_in_rows(product.c, s.m, s.n);
}

template <class T>
void for_each_blas_product(const Product& product, FunctionRef<void(const BlasProduct<T>&)> one) {
    GemmBatch batch = product.batch;
    ndarray::GemmShape s = product.shape;
    merge_rows(batch, s, product.a.row_stride, product.c.row_stride);
    BlasProduct<T> whole{.m = static_cast<int>(s.m),
                         .n = static_cast<int>(s.n),
                         .k = static_cast<int>(s.k),
                         .a = operand<T>(product.a, s.m, s.k),
                         .b = operand<T>(product.b, s.k, s.n),
                         .c = reinterpret_cast<T*>(product.c.data),
                         .c_stride = leading(product.c.row_stride, s.m, s.n),
                         .accumulate = product.accumulate};
    const std::int64_t count = batch_size(batch);
    const auto at = [&](std::int64_t index) {
        BlasProduct<T> here = whole;
        for (int axis = batch.rank - 1; axis >= 0; --axis) {
            const std::int64_t place = index % batch.sizes[axis];
            index /= batch.sizes[axis];
            here.a.data += place * batch.a_strides[axis];
            here.b.data += place * batch.b_strides[axis];
            here.c += place * batch.c_strides[axis];
        }
        return here;
    };
    if (count >= num_threads()) {
        const std::int64_t grain = ndarray::ceil_div(ndarray::kThreadWork, s.m * s.n * s.k);
        parallel_for(count, grain, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t index = first; index < last; ++index) {
                one(at(index));
                finish_rows(product.finished, index * s.m, (index + 1) * s.m, s.n);
            }
        });
        return;
    }
    for (std::int64_t index = 0; index < count; ++index) {
        run_in_pieces<T>(at(index), one, product.finished, index * s.m);
    }
}

template void for_each_blas_product<float>(const Product&, FunctionRef<void(const BlasProduct<float>&)>);
template void for_each_blas_product<double>(const Product&, FunctionRef<void(const BlasProduct<double>&)>);

}  // namespace burn::cpu
