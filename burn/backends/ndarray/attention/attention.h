// Attention on raw memory, with any strides: tiles of scores, never all of them.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/product/gemm.h>
#include <burn/backends/ndarray/reduction/reduce_kernel.h>

namespace burn::ndarray {

/// An operand [batch, heads, rows, columns] somewhere in memory.
///
/// Units    strides count elements; 0 repeats an operand along that axis
template <class T>
struct HeadsView {
    T* data = nullptr;
    int64_t strides[4] = {};

    MatrixView<T> of(int64_t batch, int64_t head) const {
        return {data + batch * strides[0] + head * strides[1], strides[2], strides[3]};
    }
};

/// Sizes and options of an attention; see ops::Attention.
struct AttentionShape {
    int64_t batch = 0;
    int64_t heads = 0;
    int64_t queries = 0;
    int64_t keys = 0;
    int64_t width = 0;        ///< of queries and keys
    int64_t value_width = 0;  ///< of values and results
    double scale = 1;
    double softcap = 0;  ///< 0: none
    bool is_causal = false;
};

/// Operands of type E; `mask` and `bias`, of the scores' shape, may be empty.
template <class E>
struct AttentionInputs {
    HeadsView<const E> query;
    HeadsView<const E> key;
    HeadsView<const E> value;
    HeadsView<const bool> mask;
    HeadsView<const E> bias;
};

/// In what E is computed: half types in f32.
template <class E>
using AttentionType = typename AccumulatorOf<E>::type;

/// Results of an attention, and their cotangents; `dlse` may be empty.
template <class E>
struct AttentionResults {
    HeadsView<const E> y;
    HeadsView<const AttentionType<E>> lse;
    HeadsView<const E> dy;
    HeadsView<const AttentionType<E>> dlse;
};

/// y and lse of ops::Attention.
///
/// DTypes    E: f64, f32, f16, bf16
/// Numerics  the same bits for any number of threads. Products are fused into sums where the processor can, as in gemm
/// Memory    per thread, tiles of at most 512 queries and some 1000 keys, packed, and one block of scores
template <class E>
void attention_forward(const AttentionShape& shape, const AttentionInputs<E>& inputs, HeadsView<E> y,
                       HeadsView<AttentionType<E>> lse);

/// dq, dk and dv of ops::AttentionGrad. Scores are computed again; with fewer heads than threads, twice.
///
/// Numerics  as attention_forward
/// Memory    per thread, two packed copies of one head's queries and cotangents, its sums of dq, and blocks of scores
template <class E>
void attention_backward(const AttentionShape& shape, const AttentionInputs<E>& inputs,
                        const AttentionResults<E>& results, HeadsView<E> dq, HeadsView<E> dk, HeadsView<E> dv);

/// Adds the gradient with respect to the bias, ops::AttentionBiasGrad, to `dbias`, whose strides are 0 along the axes that it
/// is summed over.
///
/// Numerics  as attention_forward
/// Memory    as attention_backward
template <class E>
void attention_bias_backward(const AttentionShape& shape, const AttentionInputs<E>& inputs,
                             const AttentionResults<E>& results, HeadsView<AttentionType<E>> dbias);

}  // namespace burn::ndarray
