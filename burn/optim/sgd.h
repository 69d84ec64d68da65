#pragma once

#include <burn/optim/optimizer.h>

namespace burn::optim {

/// Options of the velocity of Sgd.
struct Momentum {
    double momentum = 0.9;
    double dampening = 0.1;
    bool nesterov = false;
    BURN_CONFIG(Momentum, momentum, dampening, nesterov)
};

/// Stochastic gradient descent, with L2 weight decay and momentum where asked for.
///
///   g = grad + weight_decay p
///   v = momentum v + (1 - dampening) g          (in the first step v = g)
///   p = p - rate v,  with Nesterov p = p - rate (g + momentum v),  without momentum p = p - rate g
///
/// Source    Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013
struct SgdConfig {
    std::optional<double> weight_decay = {};
    std::optional<Momentum> momentum = {};
    std::optional<GradientClipping> gradient_clipping = {};
    BURN_CONFIG(SgdConfig, weight_decay, momentum, gradient_clipping)

    /// Errors    ArgumentError for numbers outside their range
    Optimizer init() const;
};

}  // namespace burn::optim
