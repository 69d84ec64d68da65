#pragma once

#include <burn/optim/optimizer.h>

namespace burn::optim {

/// RMSProp: the gradient divided by the root of its mean square; centred by its variance; with momentum.
///
///   g = grad + weight_decay p;  s = alpha s + (1 - alpha) g^2
///   centred: a = alpha a + (1 - alpha) g,  d = sqrt(s - a^2) + epsilon;  else d = sqrt(s) + epsilon
///   b = momentum b + g / d;  p = p - rate b
///
/// Source    Tieleman, Hinton, "Lecture 6.5: rmsprop", 2012; Graves, "Generating sequences with recurrent neural networks", 2013
struct RmsPropConfig {
    double alpha = 0.99;
    double momentum = 0.9;
    double epsilon = 1e-5;
    bool centered = false;
    std::optional<double> weight_decay = {};
    std::optional<GradientClipping> gradient_clipping = {};
    BURN_CONFIG(RmsPropConfig, alpha, momentum, epsilon, centered, weight_decay, gradient_clipping)

    /// Errors    ArgumentError for numbers outside their range
    Optimizer init() const;
};

}  // namespace burn::optim
