#pragma once

#include <burn/module/config.h>
#include <burn/module/module.h>

namespace burn::nn::loss {

using TokenList = SmallVector<std::int64_t, 2>;

/// Options of the loss on handles.
struct CrossEntropyOptions {
    std::span<const std::int64_t> pad_tokens = {};
    double smoothing = 0;
    bool logits = true;
};

/// Cross entropy with classes as targets; see CrossEntropyLoss. `weights` may be empty.
///
/// Shapes    x [items, classes], targets [items], weights [classes] -> [1]
ops::Handle cross_entropy(ops::Handle x, ops::Handle targets, ops::Handle weights, const CrossEntropyOptions& options);

template <Backend B>
struct CrossEntropyLoss;

/// Options of CrossEntropyLoss.
struct CrossEntropyLossConfig {
    std::optional<TokenList> pad_tokens = {};
    std::optional<SmallVector<double, 1>> weights = {};
    std::optional<double> smoothing = {};
    bool logits = true;
    BURN_CONFIG(CrossEntropyLossConfig, pad_tokens, weights, smoothing, logits)

    /// Errors    ArgumentError for a smoothing outside [0, 1] or weights that are not positive
    template <Backend B>
    CrossEntropyLoss<B> init(const Device<B>& device) const;
};

namespace detail {
/// Checks the options and gives the weights, in F64.
TensorData class_weights(const CrossEntropyLossConfig& config);
}  // namespace detail

/// Cross entropy between predicted distributions and classes.
///
///   q = smoothing / classes + (1 - smoothing) [class = target]
///   loss = sum over items of -(sum over classes of weight q log p) / sum over items of weight of the target
///
/// p is the softmax of x, or x itself when it is no logits. Items whose target is a pad token add nothing to the sum above,
/// and count below.
///
/// Shapes    x [items, classes], targets [items] -> [1]
/// Numerics  from logits the loss is exact for huge values
/// Errors    ShapeError when sizes do not fit; IndexError for a target that is no class and no pad token
/// Source    smoothing: Szegedy et al., "Rethinking the inception architecture", 2016
template <Backend B>
struct CrossEntropyLoss {
    TokenList pad_tokens;
    std::optional<Tensor<B, 1>> weights;  ///< [classes]
    double smoothing = 0;
    bool logits = true;
    BURN_MODULE(CrossEntropyLoss, pad_tokens, weights, smoothing, logits)

    Tensor<B, 1> forward(Tensor<B, 2> x, Tensor<B, 1, Int> targets) const {
        return Tensor<B, 1>(cross_entropy(std::move(x).handle(), std::move(targets).handle(),
                                          weights ? weights->handle() : ops::Handle(),
                                          {{pad_tokens.data(), pad_tokens.size()}, smoothing, logits}));
    }
};

template <Backend B>
CrossEntropyLoss<B> CrossEntropyLossConfig::init(const Device<B>& device) const {
    const TensorData data = detail::class_weights(*this);
    CrossEntropyLoss<B> loss;
    if (pad_tokens) loss.pad_tokens = *pad_tokens;
    if (weights) loss.weights = Tensor<B, 1>::from_data(data.convert(device.engine().default_float()), device);
    loss.smoothing = smoothing.value_or(0);
    loss.logits = logits;
    return loss;
}

}  // namespace burn::nn::loss
