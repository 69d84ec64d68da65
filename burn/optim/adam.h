#pragma once

#include <burn/optim/optimizer.h>

namespace burn::optim {

/// Adam, with L2 weight decay where asked for; for the formula see ops::AdamStep.
///
/// With amsgrad the spread is the largest that v has been.
///
/// Source    Kingma, Ba, "Adam: a method for stochastic optimization", 2015; Reddi, Kale, Kumar, "On the convergence of Adam
///           and beyond", 2018
struct AdamConfig {
    double beta_1 = 0.9;
    double beta_2 = 0.999;
    double epsilon = 1e-5;
    bool amsgrad = false;
    std::optional<double> weight_decay = {};
    std::optional<GradientClipping> gradient_clipping = {};
    BURN_CONFIG(AdamConfig, beta_1, beta_2, epsilon, amsgrad, weight_decay, gradient_clipping)

    /// Errors    ArgumentError for numbers outside their range
    Optimizer init() const;
};

/// Adam with decoupled weight decay: the parameter shrinks by rate * weight_decay, whatever the gradient.
///
/// A cautious decay acts only on elements that the step moves towards 0.
///
/// Source    Loshchilov, Hutter, "Decoupled weight decay regularization", 2019
struct AdamWConfig {
    double beta_1 = 0.9;
    double beta_2 = 0.999;
    double epsilon = 1e-5;
    double weight_decay = 1e-4;
    bool cautious_weight_decay = false;
    bool amsgrad = false;
    std::optional<GradientClipping> gradient_clipping = {};
    BURN_CONFIG(AdamWConfig, beta_1, beta_2, epsilon, weight_decay, cautious_weight_decay, amsgrad, gradient_clipping)

    /// Errors    ArgumentError for numbers outside their range
    Optimizer init() const;
};

}  // namespace burn::optim
