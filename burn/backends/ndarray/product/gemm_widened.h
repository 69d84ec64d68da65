// The matrix product for types that are only stored in 16 bits: blocks are widened to f32 and go through the f32 product.
#pragma once

#include <cstddef>
#include <cstdint>

#include <burn/backends/ndarray/product/gemm.h>
#include <burn/base/memory.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// Copies a [rows, cols] part of a matrix to f32, as it lies in memory: its closer axis becomes contiguous.
template <class T>
MatrixView<const float> widen(int64_t rows, int64_t cols, MatrixView<const T> from, float* to) {
    const auto distance = [](int64_t stride) { return stride < 0 ? -stride : stride; };
    const bool by_columns = distance(from.row_stride) < distance(from.col_stride);
    const int64_t outer = by_columns ? cols : rows;
    const int64_t inner = by_columns ? rows : cols;
    const int64_t outer_stride = by_columns ? from.col_stride : from.row_stride;
    const int64_t inner_stride = by_columns ? from.row_stride : from.col_stride;
    parallel_for(outer, 1 + 30'000 / inner, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
            const T* source = from.data + i * outer_stride;
            float* target = to + i * inner;
            if (inner_stride == 1) {
                for (int64_t j = 0; j < inner; ++j) target[j] = static_cast<float>(source[j]);
            } else {
                for (int64_t j = 0; j < inner; ++j) target[j] = static_cast<float>(source[j * inner_stride]);
            }
        }
    });
    return by_columns ? MatrixView<const float>{to, 1, inner} : MatrixView<const float>{to, inner, 1};
}

/// `gemm` for a T that converts explicitly to and from float.
///
/// Numerics  products and sums are f32; the result is rounded to T once
/// Memory    three f32 blocks of at most 512 x 512
template <class T>
void gemm_widened(const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c,
                  bool accumulate) {
    static constexpr int64_t kBlock = 512;
    if (shape.m <= 0 || shape.n <= 0) return;
    const auto at_most = [](int64_t left) { return left < kBlock ? left : kBlock; };
    const auto scratch = [&](int64_t rows, int64_t cols) {
        return Block::make(static_cast<std::size_t>(at_most(rows) * at_most(cols)) * sizeof(float));
    };
    const Ref<Block> a_block = scratch(shape.m, shape.k);
    const Ref<Block> b_block = scratch(shape.k, shape.n);
    const Ref<Block> c_block = scratch(shape.m, shape.n);
    float* sums = reinterpret_cast<float*>(c_block->data());
    for (int64_t j = 0; j < shape.n; j += kBlock) {
        const int64_t n = at_most(shape.n - j);
        for (int64_t i = 0; i < shape.m; i += kBlock) {
            const int64_t m = at_most(shape.m - i);
            T* to = c.data + i * c.row_stride + j * c.col_stride;
            const auto for_each = [&](auto body) {
                parallel_for(m, 1 + 30'000 / n, [&](int64_t first, int64_t last) {
                    for (int64_t row = first; row < last; ++row) {
                        for (int64_t col = 0; col < n; ++col)
                            body(to[row * c.row_stride + col * c.col_stride], sums[row * n + col]);
                    }
                });
            };
            for_each([&](const T& old, float& sum) { sum = accumulate ? static_cast<float>(old) : 0.0f; });
            for (int64_t p = 0; p < shape.k; p += kBlock) {
                const int64_t k = at_most(shape.k - p);
                const auto left =
                    widen<T>(m, k, {a.data + i * a.row_stride + p * a.col_stride, a.row_stride, a.col_stride},
                             reinterpret_cast<float*>(a_block->data()));
                const auto right =
                    widen<T>(k, n, {b.data + p * b.row_stride + j * b.col_stride, b.row_stride, b.col_stride},
                             reinterpret_cast<float*>(b_block->data()));
                gemm({m, n, k}, left, right, {sums, n, 1}, true);
            }
            for_each([](T& out, float sum) { out = static_cast<T>(sum); });
        }
    }
}

}  // namespace burn::ndarray
