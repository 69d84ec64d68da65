// The product of one row and a matrix: every element of the matrix is used once, so it is read where it lies, in long runs.
#pragma once

#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/product/gemm.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// c [1, n] = a [1, k] b [k, n], or c += a b.
///
/// Where b's rows are contiguous its rows are added up, each element of c in the order that every other product has (see
/// gemm_kernels.h); where its columns are, each is multiplied with a in vectors of partial sums.
template <class T>
class VectorProduct {
public:
    VectorProduct(const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c,
                  bool accumulate)
        : n_(shape.n), k_(shape.k), b_(b), by_rows_(b.col_stride == 1 && (shape.n > 1 || b.row_stride != 1)), c_(c),
          accumulate_(accumulate), kernels_(gemm_kernels<T>()), x_(shape.k) {
        for (int64_t p = 0; p < k_; ++p) x_[p] = a.data[p * a.col_stride];
    }

    /// Whether b is one of the two.
    static bool can_run(MatrixView<const T> b) { return b.col_stride == 1 || b.row_stride == 1; }

    void run() {
        if (by_rows_ && n_ * k_ > kCached && num_threads() > 1 && blocks() >= 2 * num_threads()) return run_blocks();
        const int64_t panel = kernels_.panel;
        parallel_for(ceil_div(n_, panel), ceil_div(kWorkPerThread, panel * k_), [&](int64_t first, int64_t last) {
            const int64_t end = min_of(n_, last * panel);
            Scratch<T> sums(min_of(kColumns, end - first * panel));
            for (int64_t column = first * panel; column < end; column += kColumns) {
                run_columns(column, min_of(kColumns, end - column), sums.data());
            }
        });
    }

private:
    // Of c at once: they stay in the first cache. Longer runs of b than 8 KiB are read 1.1 times as fast on Zen 5.
    static constexpr int64_t kColumns = (int64_t{16} << 10) / static_cast<int64_t>(sizeof(T));
    static constexpr int64_t kCached =
        (int64_t{8} << 20) / static_cast<int64_t>(sizeof(T));  // of b that a cache may have
    // Elements read from memory that are worth a thread: reading takes longer than multiplying.
    static constexpr int64_t kWorkPerThread = kThreadWork / 8;

    /// Whether b is in memory rather than in a cache, and what is needed next had better be asked for.
    bool fetches() const { return n_ * k_ > kCached && fetches_rows_early(); }

    void run_columns(int64_t column, int64_t columns, T* sums) {
        if (!by_rows_) {
            kernels_.dot_rows(columns, k_, x_.data(), b_.data + column * b_.col_stride, b_.col_stride, fetches(), sums);
            return write(column, columns, sums, accumulate_);
        }
        for (int64_t block = 0; block < blocks(); ++block) {
            add_block(block, column, columns, sums);
            write(column, columns, sums, accumulate_ || block > 0);
        }
    }

    // Threads share the rows of a large matrix, for each to read what lies in one piece, and then the columns of the sums of all
    // blocks, which are added in order as by run_columns.
    void run_blocks() {
        Scratch<T> sums(blocks() * n_);
        parallel_for(blocks(), 1, [&](int64_t first, int64_t last) {
            for (int64_t block = first; block < last; ++block) {
                for (int64_t column = 0; column < n_; column += kColumns)
                    add_block(block, column, min_of(kColumns, n_ - column), sums.data() + block * n_ + column);
            }
        });
        parallel_for(n_, ceil_div(kThreadWork, blocks()), [&](int64_t first, int64_t last) {
            for (int64_t block = 0; block < blocks(); ++block)
                write(first, last - first, sums.data() + block * n_ + first, accumulate_ || block > 0);
        });
    }

    int64_t blocks() const { return ceil_div(k_, kernels_.depth_block); }

    // The sums of one block of rows.
    void add_block(int64_t block, int64_t column, int64_t columns, T* sums) {
        const int64_t begin = cut(k_, blocks(), block), end = cut(k_, blocks(), block + 1);
        for (int64_t j = 0; j < columns; ++j) sums[j] = T(0);
        kernels_.add_rows(end - begin, columns, x_.data() + begin, b_.data + begin * b_.row_stride + column,
                          b_.row_stride, fetches(), sums);
    }

    void write(int64_t column, int64_t columns, const T* sums, bool accumulate) {
        T* to = c_.data + column * c_.col_stride;
        for (int64_t j = 0; j < columns; ++j, to += c_.col_stride) *to = accumulate ? *to + sums[j] : sums[j];
    }

    int64_t n_;
    int64_t k_;
    MatrixView<const T> b_;
    bool by_rows_;
    MatrixView<T> c_;
    bool accumulate_;
    const GemmKernels<T>& kernels_;
    Scratch<T> x_;
};

}  // namespace burn::ndarray
