#pragma once

#include <burn/module/module.h>
#include <burn/nn/loss/reduction.h>

namespace burn::nn::loss {

/// Squared differences.
ops::Handle squared_error(ops::Handle x, ops::Handle targets);

/// Mean squared error.
///
///   loss = mean of (x - target)^2
///
/// Shapes    x and targets alike
/// Errors    ShapeError, DTypeError when they differ
struct MseLoss {
    BURN_MODULE(MseLoss)

    template <Backend B, std::size_t D>
    Tensor<B, 1> forward(Tensor<B, D> x, Tensor<B, D> targets, Reduction reduction = Reduction::Mean) const {
        return Tensor<B, 1>(reduce(squared_error(std::move(x).handle(), std::move(targets).handle()), reduction));
    }
    template <Backend B, std::size_t D>
    Tensor<B, D> forward_no_reduction(Tensor<B, D> x, Tensor<B, D> targets) const {
        return Tensor<B, D>(squared_error(std::move(x).handle(), std::move(targets).handle()));
    }
};

}  // namespace burn::nn::loss
