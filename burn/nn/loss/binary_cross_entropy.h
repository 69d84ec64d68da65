#pragma once

#include <burn/module/config.h>
#include <burn/module/module.h>

namespace burn::nn::loss {

/// Binary cross entropy; see BinaryCrossEntropyLoss. `weights` may be empty.
///
/// Shapes    x, targets [.., n] -> [1]
ops::Handle binary_cross_entropy(ops::Handle x, ops::Handle targets, ops::Handle weights, double smoothing,
                                 bool logits);

template <Backend B>
struct BinaryCrossEntropyLoss;

/// Options of BinaryCrossEntropyLoss.
struct BinaryCrossEntropyLossConfig {
    std::optional<SmallVector<double, 1>> weights = {};
    std::optional<double> smoothing = {};
    bool logits = false;
    BURN_CONFIG(BinaryCrossEntropyLossConfig, weights, smoothing, logits)

    /// Errors    ArgumentError for a smoothing outside [0, 1] or weights that are not positive
    template <Backend B>
    BinaryCrossEntropyLoss<B> init(const Device<B>& device) const;
};

/// Cross entropy between predicted probabilities and truth values.
///
///   t = target (1 - smoothing) + smoothing / n,  n the size of the last axis, 2 for tensors of one axis
///   loss = mean of -weight (t log p + (1 - t) log(1 - p))
///
/// p is the sigmoid of x when it is logits, else x itself.
///
/// Shapes    x, targets [.., n] -> [1]; weights [n], for tensors of one axis [2]: those of targets 0 and 1
/// Numerics  from logits exact for huge values; logarithms of probabilities are at least -100
/// Errors    ShapeError when sizes do not fit
template <Backend B>
struct BinaryCrossEntropyLoss {
    std::optional<Tensor<B, 1>> weights;
    double smoothing = 0;
    bool logits = false;
    BURN_MODULE(BinaryCrossEntropyLoss, weights, smoothing, logits)

    template <std::size_t D>
    Tensor<B, 1> forward(Tensor<B, D> x, Tensor<B, D, Int> targets) const {
        return Tensor<B, 1>(binary_cross_entropy(std::move(x).handle(), std::move(targets).handle(),
                                                 weights ? weights->handle() : ops::Handle(), smoothing, logits));
    }
};

namespace detail {
/// Checks the options and gives the weights, in F64.
TensorData target_weights(const BinaryCrossEntropyLossConfig& config);
}  // namespace detail

template <Backend B>
BinaryCrossEntropyLoss<B> BinaryCrossEntropyLossConfig::init(const Device<B>& device) const {
    const TensorData data = detail::target_weights(*this);
    BinaryCrossEntropyLoss<B> loss;
    if (weights) loss.weights = Tensor<B, 1>::from_data(data.convert(device.engine().default_float()), device);
    loss.smoothing = smoothing.value_or(0);
    loss.logits = logits;
    return loss;
}

}  // namespace burn::nn::loss
