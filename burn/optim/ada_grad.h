#pragma once

#include <burn/optim/optimizer.h>

namespace burn::optim {

/// AdaGrad: rates that fall with the sum of squared gradients.
///
///   g = grad + weight_decay p;  s = s + g^2
///   p = p - rate / (1 + (t - 1) lr_decay) g / (sqrt(s) + epsilon)
///
/// Source    Duchi, Hazan, Singer, "Adaptive subgradient methods for online learning and stochastic optimization", 2011
struct AdaGradConfig {
    double lr_decay = 0;
    double epsilon = 1e-5;
    std::optional<double> weight_decay = {};
    std::optional<GradientClipping> gradient_clipping = {};
    BURN_CONFIG(AdaGradConfig, lr_decay, epsilon, weight_decay, gradient_clipping)

    /// Errors    ArgumentError for numbers outside their range
    Optimizer init() const;
};

}  // namespace burn::optim
