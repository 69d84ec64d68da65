// The matrix product for f32 and f64 (builds for an operating system; gemm_portable.cpp elsewhere): which operand is walked along,
// batches, and the kernels of each instruction set.
#include <burn/backends/ndarray/product/gemm.h>

#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/product/gemm_blocked.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

// Multiplications of a product during which it pays to fetch the operands of the next one.
constexpr int64_t kFetchWork = int64_t{1} << 16;

template <class T>
void multiply(const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c, bool accumulate,
              const RowsFinished* finished = nullptr, NextOperands<T> next = {}) {
    if (shape.m <= 0 || shape.n <= 0) return;
    if (shape.k <= 0) {
        for (int64_t i = 0; i < shape.m && !accumulate; ++i) {
            for (int64_t j = 0; j < shape.n; ++j) c.data[i * c.row_stride + j * c.col_stride] = T(0);
        }
        return finish_rows(finished, 0, shape.m, shape.n);
    }
    // C^T = B^T A^T has the same sums, bit for bit. Vectors run along C's columns: these should fill vectors and be next to
    // each other.
    const int64_t lanes = gemm_kernels<T>().lanes;
    const bool few_columns = shape.n < lanes && shape.n < shape.m;
    const bool few_rows = shape.m < lanes && shape.m < shape.n;
    const bool rows_adjacent = c.row_stride == 1 && c.col_stride != 1;
    if (few_columns || (rows_adjacent && !few_rows)) {
        BlockedProduct<T>({shape.n, shape.m, shape.k}, transposed(b), transposed(a), transposed(c), accumulate, nullptr,
                          {next.b, next.a})
            .run();
        finish_rows(finished, 0, shape.m, shape.n);
    } else {
        BlockedProduct<T>(shape, a, b, c, accumulate, finished, next).run();
    }
}

template <class T>
void multiply_batch(GemmBatch batch, GemmShape shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c,
                    bool accumulate, const RowsFinished* finished) {
    merge_rows(batch, shape, a.row_stride, c.row_stride);
    const int64_t count = batch_size(batch);
    const int64_t work = max_of(1, shape.m * shape.n * shape.k);
    // The operands and the result at a place of the batch.
    const auto move_to = [&](int64_t place, MatrixView<const T>& ai, MatrixView<const T>& bi, MatrixView<T>& ci) {
        for (int axis = batch.rank - 1; axis >= 0; --axis) {
            const int64_t at = place % batch.sizes[axis];
            place /= batch.sizes[axis];
            ai.data += at * batch.a_strides[axis];
            bi.data += at * batch.b_strides[axis];
            ci.data += at * batch.c_strides[axis];
        }
    };
    // `last`: the thread's places end there.
    const auto one = [&](int64_t place, int64_t last) {
        MatrixView<const T> ai = a, bi = b, next_a = a, next_b = b;
        MatrixView<T> ci = c, next_c = c;
        move_to(place, ai, bi, ci);
        NextOperands<T> next;
        if (place + 1 < last && work >= kFetchWork) {
            move_to(place + 1, next_a, next_b, next_c);
            next = {next_a.data, next_b.data};
        }
        if (finished == nullptr) return multiply(shape, ai, bi, ci, accumulate, nullptr, next);
        const auto mine = [&](int64_t first_row, int64_t last_row) {
            (*finished)(place* shape.m + first_row, place * shape.m + last_row);
        };
        const RowsFinished counted_through(mine);
        multiply(shape, ai, bi, ci, accumulate, &counted_through, next);
    };
    if (count >= num_threads() || work < 2 * kThreadWork) {
        parallel_for(count, ceil_div(kThreadWork, work), [&](int64_t first, int64_t last) {
            for (int64_t index = first; index < last; ++index) one(index, last);
        });
    } else {
        for (int64_t index = 0; index < count; ++index) one(index, 0);
    }
}

template <class T>
const GemmKernels<T>& choose_kernels() {
    switch (active_isa()) {
#if defined(__x86_64__)
        case Isa::Avx512: return gemm_kernels_avx512(T());
        case Isa::Avx2: return gemm_kernels_avx2(T());
#endif
        default: return gemm_kernels_baseline(T());
    }
}

}  // namespace

template <>
const GemmKernels<float>& gemm_kernels<float>() {
    return choose_kernels<float>();
}

template <>
const GemmKernels<double>& gemm_kernels<double>() {
    return choose_kernels<double>();
}

void gemm(const GemmShape& shape, MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> c,
          bool accumulate) {
    multiply(shape, a, b, c, accumulate);
}

void gemm(const GemmShape& shape, MatrixView<const double> a, MatrixView<const double> b, MatrixView<double> c,
          bool accumulate) {
    multiply(shape, a, b, c, accumulate);
}

void gemm_batched(const GemmBatch& batch, const GemmShape& shape, MatrixView<const float> a, MatrixView<const float> b,
                  MatrixView<float> c, bool accumulate, const RowsFinished* finished) {
    multiply_batch(batch, shape, a, b, c, accumulate, finished);
}

void gemm_batched(const GemmBatch& batch, const GemmShape& shape, MatrixView<const double> a,
                  MatrixView<const double> b, MatrixView<double> c, bool accumulate, const RowsFinished* finished) {
    multiply_batch(batch, shape, a, b, c, accumulate, finished);
}

}  // namespace burn::ndarray
