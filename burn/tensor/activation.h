#pragma once

#include <burn/ops/softmax.h>
#include <burn/tensor/tensor.h>

/// Activation functions of tensors. Those of one argument are methods of Tensor too.
namespace burn::activation {

#define BURN_ACTIVATION(SIGNATURE, EXPRESSION)     \
    template <Backend B, std::size_t D>            \
    Tensor<B, D> SIGNATURE {                       \
        ops::Handle x = std::move(input).handle(); \
        return Tensor<B, D>(EXPRESSION);           \
    }

/// max(x, 0); NaN stays NaN.
BURN_ACTIVATION(relu(Tensor<B, D> input), ops::relu(std::move(x)))
/// x limited to [0, 6].
BURN_ACTIVATION(relu6(Tensor<B, D> input), ops::clamp(std::move(x), 0, 6))
/// x where positive, else slope * x.
BURN_ACTIVATION(leaky_relu(Tensor<B, D> input, double slope = 0.01), ops::leaky_relu(std::move(x), slope))
/// x where greater than alpha, else 0.
BURN_ACTIVATION(thresholded_relu(Tensor<B, D> input, double alpha = 1), ops::threshold(std::move(x), alpha, 0))
/// x where greater than `at`, else `value`.
BURN_ACTIVATION(threshold(Tensor<B, D> input, double at, double value), ops::threshold(std::move(x), at, value))
/// x times the probability of a standard normal number below x.
BURN_ACTIVATION(gelu(Tensor<B, D> input), ops::gelu(std::move(x)))
/// gelu by the tanh formula.
BURN_ACTIVATION(gelu_approximate(Tensor<B, D> input), ops::gelu_approximate(std::move(x)))
/// x * sigmoid(x).
BURN_ACTIVATION(silu(Tensor<B, D> input), ops::silu(std::move(x)))
/// x * (x + 3 limited to [0, 6]) / 6.
BURN_ACTIVATION(hard_swish(Tensor<B, D> input), ops::hard_swish(std::move(x)))
/// x * tanh(softplus(x)).
BURN_ACTIVATION(mish(Tensor<B, D> input), ops::mish(std::move(x)))
/// x where positive, else alpha * (e^x - 1).
BURN_ACTIVATION(elu(Tensor<B, D> input, double alpha = 1), ops::elu(std::move(x), alpha))
/// x where positive, else alpha * (e^(x / alpha) - 1).
BURN_ACTIVATION(celu(Tensor<B, D> input, double alpha = 1), ops::celu(std::move(x), alpha))
/// The elu whose scale keeps mean 0 and variance 1.
BURN_ACTIVATION(selu(Tensor<B, D> input), ops::selu(std::move(x)))
/// 1 / (1 + e^-x).
BURN_ACTIVATION(sigmoid(Tensor<B, D> input), ops::sigmoid(std::move(x)))
/// alpha * x + beta limited to [0, 1].
BURN_ACTIVATION(hard_sigmoid(Tensor<B, D> input, double alpha = 0.2, double beta = 0.5),
                ops::hard_sigmoid(std::move(x), alpha, beta))
/// ln(sigmoid(x)), exact where the sigmoid underflows.
BURN_ACTIVATION(log_sigmoid(Tensor<B, D> input), ops::log_sigmoid(std::move(x)))
BURN_ACTIVATION(tanh(Tensor<B, D> input), ops::tanh(std::move(x)))
/// x limited to [min, max].
BURN_ACTIVATION(hardtanh(Tensor<B, D> input, double min = -1, double max = 1), ops::clamp(std::move(x), min, max))
/// x - tanh(x).
BURN_ACTIVATION(tanhshrink(Tensor<B, D> input), ops::tanhshrink(std::move(x)))
/// ln(1 + e^(beta x)) / beta, exact where the exponential overflows.
BURN_ACTIVATION(softplus(Tensor<B, D> input, double beta = 1), ops::softplus(std::move(x), beta))
/// x / (1 + |x|).
BURN_ACTIVATION(softsign(Tensor<B, D> input), ops::softsign(std::move(x)))
/// 0 within [-lambda, lambda], else x.
BURN_ACTIVATION(hard_shrink(Tensor<B, D> input, double lambda = 0.5), ops::shrink(std::move(x), lambda, 0))
/// 0 within [-lambda, lambda], else x drawn towards 0 by lambda.
BURN_ACTIVATION(soft_shrink(Tensor<B, D> input, double lambda = 0.5), ops::shrink(std::move(x), lambda, lambda))
/// 0 within [-lambda, lambda], else x drawn towards 0 by bias.
BURN_ACTIVATION(shrink(Tensor<B, D> input, double lambda = 0.5, double bias = 0.5),
                ops::shrink(std::move(x), lambda, bias))
/// Exponentials along an axis, divided by their sum.
BURN_ACTIVATION(softmax(Tensor<B, D> input, std::int64_t axis), ops::softmax(std::move(x), axis))
/// ln(softmax(x)), exact for huge values.
BURN_ACTIVATION(log_softmax(Tensor<B, D> input, std::int64_t axis), ops::log_softmax(std::move(x), axis))
/// Softmax of -x.
BURN_ACTIVATION(softmin(Tensor<B, D> input, std::int64_t axis), ops::softmin(std::move(x), axis))
/// Softmax with one more in the denominator, so that all values may be near 0.
BURN_ACTIVATION(quiet_softmax(Tensor<B, D> input, std::int64_t axis), ops::quiet_softmax(std::move(x), axis))

/// a * sigmoid(b), where a and b are the halves of x along an axis.
///
/// Errors    ShapeError when the axis has an odd size
BURN_ACTIVATION(glu(Tensor<B, D> input, std::int64_t axis), ops::glu(std::move(x), axis))

#undef BURN_ACTIVATION

/// x where positive, else alpha * x, with one alpha for each channel or one for all.
///
/// Shapes    input [batch, C, ..] (or [C]), alpha [C] or [1]
/// Errors    ShapeError when alpha has another size
template <Backend B, std::size_t D>
Tensor<B, D> prelu(Tensor<B, D> input, Tensor<B, 1> alpha) {
    Shape shape = Dims::filled(D, 1);
    shape[D > 1 ? 1 : 0] = alpha.dim(0);
    return Tensor<B, D>(ops::prelu(std::move(input).handle(), ops::reshape(std::move(alpha).handle(), shape)));
}

}  // namespace burn::activation
