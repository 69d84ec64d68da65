#pragma once

#include <burn/ops/define_op.h>

#include <optional>

namespace burn::ops {

/// How the scores of queries and keys become weights.
///
/// Example   AttentionOptions{.softcap = 50, .is_causal = true}
struct AttentionOptions {
    std::optional<double> scale{};  ///< of the products of queries and keys; default 1 / sqrt(d)
    double softcap = 0;             ///< bounds scores by softcap * tanh(score / softcap); 0: not
    bool is_causal = false;         ///< hides key j from query i where j > i, both counted from 0
};

/// What Attention and its gradients have in common: the attributes, and which operands there are.
struct AttentionAttributes {
    double scale = 1;
    double softcap = 0;
    bool is_causal = false;
    bool has_mask = false;
    bool has_bias = false;

    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("scale", self.scale);
        visit.structural("softcap", self.softcap);
        visit.structural("is_causal", self.is_causal);
        visit.structural("has_mask", self.has_mask);
        visit.structural("has_bias", self.has_bias);
    }
};

/// Scaled dot-product attention, and the logarithm of the sum of each row's exponentials.
///
///   s[i, j] = cap(scale * sum over p of q[i, p] k[j, p]) + bias[i, j], -inf where mask[i, j] or, if causal, j > i
///   y[i, p] = sum over j of exp(s[i, j] - lse[i]) v[j, p],  lse[i] = log(sum over j of exp(s[i, j]))
///
/// Shapes    q [batch, heads, n, d], k [batch, heads, m, d], v [batch, heads, m, e]; then, where the attributes say so, mask
///           and bias, each axis that of [batch, heads, n, m] or 1 -> y [batch, heads, n, e], lse [batch, heads, n, 1]
/// DTypes    Float, one for all but the mask, which is Bool: true hides; lse has f32 for half types
/// Gradient  AttentionGrad and AttentionBiasGrad
/// Numerics  f16 and bf16 compute in f32. A row without a key that it may see, or whose scores are all -inf, gives zeros, and
///           lse = -inf. Whether NaN in a value that is hidden from every query shows is not specified
/// Memory    a backend that runs it whole keeps tiles of the scores only; the decomposition has all of them
/// Errors    ShapeError when ranks or sizes do not fit; DTypeError when dtypes do not; ArgumentError for a number of operands
///           that the attributes do not ask for, a scale that is not finite, a softcap that is negative or not finite
/// Source    Vaswani et al. 2017; Dao 2023
struct Attention : AttentionAttributes {
    static constexpr OpInfo info{.name = "attention",
                                 .doc = "scaled dot-product attention, and each row's log of the sum of exponentials",
                                 .kind = OpKind::Composite,
                                 .inputs = kVariadic,
                                 .outputs = 2,
                                 .saves = Saves{.inputs = 0b11111, .outputs = 0b11}};
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// What the gradients of Attention have in common besides: whether something flows back through lse.
struct AttentionGradAttributes : AttentionAttributes {
    bool has_dlse = false;

    static void fields(auto& self, FieldVisitor& visit) {
        AttentionAttributes::fields(self, visit);
        visit.structural("has_dlse", self.has_dlse);
    }
};

/// Gradients of Attention with respect to q, k and v, from its results and their cotangents.
///
///   w[i, j] = exp(s[i, j] - lse[i]),  ds[i, j] = w[i, j] (sum over p of dy[i, p] v[j, p] - sum over p of dy[i, p] y[i, p] + dlse[i])
///   dv = w^T dy;  with dt = ds times the slope of the cap:  dq = scale * dt k,  dk = scale * dt^T q
///
/// Shapes    q, k, v, y, lse, dy, then where the attributes say so dlse, mask, bias, as those of Attention -> dq, dk, dv
/// Numerics  scores are computed again from lse, tile by tile where a backend runs it whole; f16 and bf16 compute in f32
/// Errors    as attention
struct AttentionGrad : AttentionGradAttributes {
    static constexpr OpInfo info{.name = "attention_grad",
                                 .doc = "gradients of attention with respect to query, key and value",
                                 .kind = OpKind::Composite,
                                 .inputs = kVariadic,
                                 .outputs = 3};
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Gradient of Attention with respect to its bias: ds of AttentionGrad, summed over the axes along which the bias is repeated.
///
/// Shapes    as of AttentionGrad -> dbias as the bias
/// Errors    as attention; ArgumentError without a bias
struct AttentionBiasGrad : AttentionGradAttributes {
    static constexpr OpInfo info{.name = "attention_bias_grad",
                                 .doc = "gradient of attention with respect to its bias",
                                 .kind = OpKind::Composite,
                                 .inputs = kVariadic};
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Attention without lse; mask and bias may be empty.
Handle attention(Handle query, Handle key, Handle value, Handle mask, Handle bias, const AttentionOptions& options);
/// The same, made of products and a softmax: what a backend that does not run it whole computes. It is a reference, and it
/// has all scores in memory.
Handle attention_fallback(Handle query, Handle key, Handle value, Handle mask, Handle bias,
                          const AttentionOptions& options);

}  // namespace burn::ops
