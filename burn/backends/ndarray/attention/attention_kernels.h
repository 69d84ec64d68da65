// What an instruction set offers to attention beside the tiles of the matrix product (gemm_kernels.h).
//
//   block of scores   rows of `panel` numbers, one behind the other; panel as in gemm_kernels.h, a whole number of vectors
//
// Lanes of a row are independent of each other, so what is in lanes that belong to nothing does not matter.
#pragma once

#include <cstdint>

namespace burn::ndarray {

template <class T>
struct AttentionKernels {
    /// One step of a softmax that goes from one block of keys to the next; rows are keys, lanes are queries.
    ///
    ///   m = max(top, scores);  scores = exp(scores - m);  each of total and sums times exp(top - m);
    ///   total += sum of scores;  top = m
    ///
    /// where m counts as 0 in exponents while it is -inf. `sums` are `rows` rows of the weighted values so far.
    void (*advance)(int64_t keys, int64_t panel, T* scores, T* top, T* total, int64_t rows, T* sums);

    /// The gradient of a softmax whose logarithms of sums are known; rows are queries, lanes are keys.
    ///
    ///   scores = exp(scores - lse[row]);  cotangents = scores * (cotangents - mean[row])
    void (*gradient)(int64_t queries, int64_t panel, const T* lse, const T* mean, T* scores, T* cotangents);

    /// scores = softcap * tanh(scores / softcap); and 1 - tanh^2 to `slopes` unless that is null.
    void (*cap)(int64_t rows, int64_t panel, T softcap, T* scores, T* slopes);

    /// rows of sums divided by total, where that is not 0.
    void (*normalise)(int64_t rows, int64_t panel, const T* total, T* sums);
};

/// The table of the active instruction set (cpu_features.h).
template <class T>
const AttentionKernels<T>& attention_kernels();

// One source file per instruction set defines its pair; those of other processors do not exist.
const AttentionKernels<float>& attention_kernels_baseline(float);
const AttentionKernels<double>& attention_kernels_baseline(double);
const AttentionKernels<float>& attention_kernels_avx2(float);
const AttentionKernels<double>& attention_kernels_avx2(double);
const AttentionKernels<float>& attention_kernels_avx512(float);
const AttentionKernels<double>& attention_kernels_avx512(double);

}  // namespace burn::ndarray
