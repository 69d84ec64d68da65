#pragma once

#include <burn/nn/activation.h>
#include <burn/nn/swi_glu.h>

namespace burn::nn {

enum class ActivationKind : std::uint8_t {
    Identity,
    Gelu,
    GeluApproximate,
    PRelu,
    Relu,
    LeakyRelu,
    SwiGlu,
    Selu,
    Sigmoid,
    Tanh,
    HardSigmoid,
    HardSwish,
    Softplus,
    Softsign,
    Elu,
    Celu,
    ThresholdedRelu,
    HardShrink,
    SoftShrink,
    Shrink,
};
BURN_ENUM_NAMES(ActivationKind, Identity, Gelu, GeluApproximate, PRelu, Relu, LeakyRelu, SwiGlu, Selu, Sigmoid, Tanh,
                HardSigmoid, HardSwish, Softplus, Softsign, Elu, Celu, ThresholdedRelu, HardShrink, SoftShrink, Shrink)

template <Backend B>
struct Activation;

/// An activation chosen at run time, with the options of that kind; the others are ignored.
///
/// Example   ActivationConfig{.kind = ActivationKind::LeakyRelu, .slope = 0.2}
struct ActivationConfig {
    ActivationKind kind = ActivationKind::Relu;
    double slope = 0.01;  ///< LeakyRelu
    double alpha = 1;     ///< Elu, Celu, ThresholdedRelu
    double beta = 1;      ///< Softplus
    double lambda = 0.5;  ///< HardShrink, SoftShrink, Shrink
    double bias = 0.5;    ///< Shrink
    HardSigmoid hard_sigmoid = {};
    PReluConfig prelu = {};
    std::optional<SwiGluConfig> swi_glu = {};  ///< must be there for SwiGlu
    BURN_CONFIG(ActivationConfig, kind, slope, alpha, beta, lambda, bias, hard_sigmoid, prelu, swi_glu)

    /// Errors    ArgumentError when the options of the kind make no sense
    template <Backend B>
    Activation<B> init(const Device<B>& device) const;
};

namespace detail {
/// The kinds without learned parameters.
ops::Handle activate(ops::Handle x, const ActivationConfig& config);
/// Errors    ArgumentError for SwiGlu without options
void check_activation(const ActivationConfig& config);
}  // namespace detail

/// The module of an ActivationConfig.
template <Backend B>
struct Activation {
    ActivationConfig config;
    std::optional<PRelu<B>> prelu;
    std::optional<SwiGlu<B>> swi_glu;
    BURN_MODULE(Activation, config, prelu, swi_glu)

    template <std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        if (prelu) return prelu->forward(std::move(input));
        if (swi_glu) return swi_glu->forward(std::move(input));
        return Tensor<B, D>(detail::activate(std::move(input).handle(), config));
    }
};

template <Backend B>
Activation<B> ActivationConfig::init(const Device<B>& device) const {
    detail::check_activation(*this);
    Activation<B> activation;
    activation.config = *this;
    if (kind == ActivationKind::PRelu) activation.prelu = prelu.init(device);
    if (kind == ActivationKind::SwiGlu) activation.swi_glu = swi_glu->init(device);
    return activation;
}

}  // namespace burn::nn
