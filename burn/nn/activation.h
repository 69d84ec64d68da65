#pragma once

#include <burn/module/config.h>
#include <burn/module/module.h>
#include <burn/nn/initializer.h>
#include <burn/tensor/activation.h>

/// The activation functions as modules. Those without learned parameters are their own configs: LeakyRelu{.slope = 0.2}.

namespace burn::nn {

#define BURN_ACTIVATION_FORWARD(EXPRESSION)          \
    template <Backend B, std::size_t D>              \
    Tensor<B, D> forward(Tensor<B, D> input) const { \
        return EXPRESSION;                           \
    }

/// x where positive, else alpha (e^(x / alpha) - 1).
struct Celu {
    double alpha = 1;
    BURN_MODULE(Celu, alpha)
    BURN_CONFIG(Celu, alpha)
    BURN_ACTIVATION_FORWARD(activation::celu(std::move(input), alpha))
};

/// x where positive, else alpha (e^x - 1).
struct Elu {
    double alpha = 1;
    BURN_MODULE(Elu, alpha)
    BURN_CONFIG(Elu, alpha)
    BURN_ACTIVATION_FORWARD(activation::elu(std::move(input), alpha))
};

/// x times the probability of a standard normal number below x; by the tanh formula when `approximate`.
struct Gelu {
    bool approximate = false;
    BURN_MODULE(Gelu, approximate)
    BURN_CONFIG(Gelu, approximate)
    BURN_ACTIVATION_FORWARD(approximate ? activation::gelu_approximate(std::move(input))
                                        : activation::gelu(std::move(input)))
};

namespace detail {
/// x where not negative, else x times a slope drawn for each element from [lower, upper).
ops::Handle rrelu(ops::Handle x, double lower, double upper);
}  // namespace detail

/// First half of an axis times the sigmoid of its second half.
///
/// Shapes    x [.., 2 n, ..] -> y [.., n, ..]
/// Errors    ShapeError for an odd size; IndexError when the axis is out of range
/// Source    Dauphin et al., "Language modeling with gated convolutional networks", 2017
struct Glu {
    std::int64_t dim = -1;
    BURN_MODULE(Glu, dim)
    BURN_CONFIG(Glu, dim)
    BURN_ACTIVATION_FORWARD(activation::glu(std::move(input), dim))
};

/// 0 within [-lambda, lambda], else x.
struct HardShrink {
    double lambda = 0.5;
    BURN_MODULE(HardShrink, lambda)
    BURN_CONFIG(HardShrink, lambda)
    BURN_ACTIVATION_FORWARD(activation::hard_shrink(std::move(input), lambda))
};

/// alpha x + beta limited to [0, 1].
struct HardSigmoid {
    double alpha = 0.2;
    double beta = 0.5;
    BURN_MODULE(HardSigmoid, alpha, beta)
    BURN_CONFIG(HardSigmoid, alpha, beta)
    BURN_ACTIVATION_FORWARD(activation::hard_sigmoid(std::move(input), alpha, beta))
};

/// x (x + 3 limited to [0, 6]) / 6.
struct HardSwish {
    BURN_MODULE(HardSwish)
    BURN_ACTIVATION_FORWARD(activation::hard_swish(std::move(input)))
};

/// x limited to [min_value, max_value].
struct Hardtanh {
    double min_value = -1;
    double max_value = 1;
    BURN_MODULE(Hardtanh, min_value, max_value)
    BURN_CONFIG(Hardtanh, min_value, max_value)
    BURN_ACTIVATION_FORWARD(activation::hardtanh(std::move(input), min_value, max_value))
};

/// x where positive, else slope x.
struct LeakyRelu {
    double slope = 0.01;
    BURN_MODULE(LeakyRelu, slope)
    BURN_CONFIG(LeakyRelu, slope)
    BURN_ACTIVATION_FORWARD(activation::leaky_relu(std::move(input), slope))
};

/// ln(sigmoid(x)).
struct LogSigmoid {
    BURN_MODULE(LogSigmoid)
    BURN_ACTIVATION_FORWARD(activation::log_sigmoid(std::move(input)))
};

/// x tanh(softplus(x)).
struct Mish {
    BURN_MODULE(Mish)
    BURN_ACTIVATION_FORWARD(activation::mish(std::move(input)))
};

template <Backend B>
struct PRelu;

/// Options of PRelu.
struct PReluConfig {
    std::int64_t num_parameters = 1;  ///< one for all channels, or one for each
    double alpha = 0.25;              ///< what the slopes start from
    BURN_CONFIG(PReluConfig, num_parameters, alpha)

    /// Errors    ArgumentError unless num_parameters is positive
    template <Backend B>
    PRelu<B> init(const Device<B>& device) const;
};

/// x where positive, else alpha x, with learned slopes.
///
/// Shapes    x [batch, channels, ..] (or [channels]) -> y as x
/// Source    He et al., "Delving deep into rectifiers", 2015
template <Backend B>
struct PRelu {
    Param<Tensor<B, 1>> alpha;  ///< [num_parameters]
    BURN_MODULE(PRelu, alpha)

    template <std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        return activation::prelu(std::move(input), alpha.value());
    }
};

/// max(x, 0).
struct Relu {
    BURN_MODULE(Relu)
    BURN_ACTIVATION_FORWARD(activation::relu(std::move(input)))
};

/// x limited to [0, 6].
struct Relu6 {
    BURN_MODULE(Relu6)
    BURN_ACTIVATION_FORWARD(activation::relu6(std::move(input)))
};

/// x where not negative, else slope x: a slope drawn for each element while training, the mean slope else.
///
/// Source    Xu et al., "Empirical evaluation of rectified activations in convolutional network", 2015
struct RRelu {
    double lower = 1.0 / 8;
    double upper = 1.0 / 3;
    BURN_MODULE(RRelu, lower, upper)
    BURN_CONFIG(RRelu, lower, upper)

    template <Backend B, std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        if constexpr (AutodiffBackend<B>) {
            return Tensor<B, D>(detail::rrelu(std::move(input).handle(), lower, upper));
        } else {
            return activation::leaky_relu(std::move(input), (lower + upper) / 2);
        }
    }
};

/// The elu whose scale keeps mean 0 and variance 1.
struct Selu {
    BURN_MODULE(Selu)
    BURN_ACTIVATION_FORWARD(activation::selu(std::move(input)))
};

/// 0 within [-lambda, lambda], else x drawn towards 0 by bias.
struct Shrink {
    double lambda = 0.5;
    double bias = 0.5;
    BURN_MODULE(Shrink, lambda, bias)
    BURN_CONFIG(Shrink, lambda, bias)
    BURN_ACTIVATION_FORWARD(activation::shrink(std::move(input), lambda, bias))
};

/// 1 / (1 + e^-x).
struct Sigmoid {
    BURN_MODULE(Sigmoid)
    BURN_ACTIVATION_FORWARD(activation::sigmoid(std::move(input)))
};

/// x sigmoid(x).
struct Silu {
    BURN_MODULE(Silu)
    BURN_ACTIVATION_FORWARD(activation::silu(std::move(input)))
};

/// 0 within [-lambda, lambda], else x drawn towards 0 by lambda.
struct SoftShrink {
    double lambda = 0.5;
    BURN_MODULE(SoftShrink, lambda)
    BURN_CONFIG(SoftShrink, lambda)
    BURN_ACTIVATION_FORWARD(activation::soft_shrink(std::move(input), lambda))
};

/// ln(1 + e^(beta x)) / beta.
struct Softplus {
    double beta = 1;
    BURN_MODULE(Softplus, beta)
    BURN_CONFIG(Softplus, beta)
    BURN_ACTIVATION_FORWARD(activation::softplus(std::move(input), beta))
};

/// x / (1 + |x|).
struct Softsign {
    BURN_MODULE(Softsign)
    BURN_ACTIVATION_FORWARD(activation::softsign(std::move(input)))
};

/// The hyperbolic tangent.
struct Tanh {
    BURN_MODULE(Tanh)
    BURN_ACTIVATION_FORWARD(activation::tanh(std::move(input)))
};

/// x - tanh(x).
struct Tanhshrink {
    BURN_MODULE(Tanhshrink)
    BURN_ACTIVATION_FORWARD(activation::tanhshrink(std::move(input)))
};

/// x where greater than threshold, else value.
struct Threshold {
    double threshold = 0;
    double value = 0;
    BURN_MODULE(Threshold, threshold, value)
    BURN_CONFIG(Threshold, threshold, value)
    BURN_ACTIVATION_FORWARD(activation::threshold(std::move(input), threshold, value))
};

/// x where greater than alpha, else 0.
struct ThresholdedRelu {
    double alpha = 1;
    BURN_MODULE(ThresholdedRelu, alpha)
    BURN_CONFIG(ThresholdedRelu, alpha)
    BURN_ACTIVATION_FORWARD(activation::thresholded_relu(std::move(input), alpha))
};

#undef BURN_ACTIVATION_FORWARD

template <Backend B>
PRelu<B> PReluConfig::init(const Device<B>& device) const {
    return {Initializer::constant(alpha).init<B, 1>({num_parameters}, device)};
}

}  // namespace burn::nn
