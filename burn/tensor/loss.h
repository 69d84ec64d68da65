#pragma once

#include <burn/ops/loss.h>
#include <burn/tensor/tensor.h>

/// Loss functions for use without a loss module.
namespace burn::loss {

/// Cross entropy of each row of logits against the index of its class.
///
///   log(sum over j of exp(x[i, j])) - x[i, target[i]]
///
/// Shapes    logits [n, classes], targets [n] -> [n]
/// Numerics  exact for huge logits
/// Errors    ShapeError when sizes do not fit; IndexError for a target that is no class
template <Backend B>
Tensor<B, 1> cross_entropy(Tensor<B, 2> logits, Tensor<B, 1, Int> targets) {
    return Tensor<B, 1>(ops::cross_entropy(std::move(logits).handle(), std::move(targets).handle()));
}

/// Cross entropy of logits against probabilities of the classes, which the last axis holds: the mean over all rows.
///
/// Shapes    logits, target_probs [.., classes] -> [1]
template <Backend B, std::size_t D>
Tensor<B, 1> cross_entropy_with_logits(Tensor<B, D> logits, Tensor<B, D> target_probs) {
    return Tensor<B, 1>(
        ops::cross_entropy_with_probabilities(std::move(logits).handle(), std::move(target_probs).handle()));
}

}  // namespace burn::loss
