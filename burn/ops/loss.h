#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Cross entropy of logits against the indices of the right classes, one loss a row.
///
///   loss[i] = log(sum over j of exp(x[i, j])) - x[i, target[i]]
///
/// Shapes    logits [n, classes], targets [n] -> [n]
/// DTypes    logits Float, targets Int
/// Gradient  dx = (softmax(x) - 1 at the target) * dy
/// Numerics  exact for huge logits; f16 and bf16 compute in f32
/// Errors    ShapeError, DTypeError when operands do not fit; IndexError for a target that is no class
struct CrossEntropy {
    static constexpr OpInfo info{.name = "cross_entropy",
                                 .doc = "cross entropy of logits against class indices, one loss a row",
                                 .kind = OpKind::Composite,
                                 .inputs = 2,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto&, FieldVisitor&) {}
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Gradient of CrossEntropy from logits, targets and dy.
///
/// Shapes    logits [n, classes], targets, dy [n] -> dlogits [n, classes]
struct CrossEntropyGrad {
    static constexpr OpInfo info{
        .name = "cross_entropy_grad", .doc = "gradient of cross_entropy", .kind = OpKind::Composite, .inputs = 3};
    static void fields(auto&, FieldVisitor&) {}
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Losses of class indices, one a row.
Handle cross_entropy(Handle logits, Handle targets);
/// The mean over rows of -sum over classes of target * log softmax(logits), of shape [1].
///
/// Shapes    logits, target_probs [.., classes]
Handle cross_entropy_with_probabilities(Handle logits, Handle target_probs);

}  // namespace burn::ops
