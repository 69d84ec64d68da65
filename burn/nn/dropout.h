#pragma once

#include <burn/module/config.h>
#include <burn/module/module.h>

namespace burn::nn {

/// Sets elements to 0 with probability `prob` and divides the others by 1 - prob.
///
/// Errors    ArgumentError unless prob is in [0, 1]
ops::Handle dropout(ops::Handle x, double prob);

/// Sets elements to 0 at random while training; on a backend without autodiff it does nothing.
///
///   y = x * mask / (1 - prob)
///
/// Source    Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014
struct Dropout {
    double prob = 0.5;
    BURN_MODULE(Dropout, prob)

    template <Backend B, std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        if constexpr (AutodiffBackend<B>) {
            return Tensor<B, D>(dropout(std::move(input).handle(), prob));
        } else {
            return input;
        }
    }
};

/// Options of Dropout.
struct DropoutConfig {
    Required<double> prob;
    BURN_CONFIG(DropoutConfig, prob)

    /// Errors    ArgumentError unless prob is in [0, 1]
    Dropout init() const;
};

}  // namespace burn::nn
