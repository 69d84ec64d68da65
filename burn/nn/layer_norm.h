#pragma once

#include <burn/module/config.h>
#include <burn/module/module.h>
#include <burn/nn/layer_checks.h>
#include <burn/ops/norm.h>

namespace burn::nn {

template <Backend B>
struct LayerNorm;

/// Options of LayerNorm.
struct LayerNormConfig {
    Required<std::int64_t> d_model;
    double epsilon = 1e-5;
    bool bias = true;
    BURN_CONFIG(LayerNormConfig, d_model, epsilon, bias)

    /// Errors    ArgumentError when d_model is not positive
    template <Backend B>
    LayerNorm<B> init(const Device<B>& device) const;
};

/// Normalises each row of the last axis.
///
///   y = (x - mean) / sqrt(var + epsilon) * gamma + beta, with the biased variance
///
/// Shapes    x [.., d_model] -> y as x
/// Init      gamma 1, beta 0
/// Errors    ShapeError when the last axis is not d_model
/// Source    Ba, Kiros, Hinton, "Layer normalization", 2016
template <Backend B>
struct LayerNorm {
    Param<Tensor<B, 1>> gamma;                ///< [d_model]
    std::optional<Param<Tensor<B, 1>>> beta;  ///< [d_model]
    double epsilon = 1e-5;
    BURN_MODULE(LayerNorm, gamma, beta, epsilon)

    template <std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        ops::Handle x = std::move(input).handle();
        return Tensor<B, D>(beta
                                ? ops::layer_norm(std::move(x), gamma.value().handle(), beta->value().handle(), epsilon)
                                : ops::layer_norm(std::move(x), gamma.value().handle(), epsilon));
    }
};

template <Backend B>
LayerNorm<B> LayerNormConfig::init(const Device<B>& device) const {
    require_at_least("LayerNorm", "d_model", d_model, 1);
    const Sizes<1> shape(*d_model);
    LayerNorm<B> norm;
    norm.gamma = Param(Tensor<B, 1>::ones(shape, device));
    if (bias) norm.beta = Param(Tensor<B, 1>::zeros(shape, device));
    norm.epsilon = epsilon;
    return norm;
}

}  // namespace burn::nn
