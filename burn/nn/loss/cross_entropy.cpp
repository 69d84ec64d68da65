#include <burn/nn/loss/cross_entropy.h>

#include <burn/nn/layer_checks.h>
#include <burn/nn/loss/weights.h>
#include <burn/ops/indexing.h>
#include <burn/ops/loss.h>
#include <burn/ops/softmax.h>

namespace burn::nn::loss {

namespace {

void check(const ops::Handle& x, const ops::Handle& targets, const ops::Handle& weights) {
    if (x.rank() != 2 || targets.rank() != 1 || x.shape()[0] != targets.shape()[0]) {
        raise(ErrorKind::Shape, Message() << "CrossEntropyLoss: sizes differ: x " << x.shape() << ", targets "
                                          << targets.shape() << "; expected [items, classes] and [items]");
    }
    if (weights && weights.shape() != Shape{x.shape()[1]}) {
        raise(ErrorKind::Shape,
              Message() << "CrossEntropyLoss: weights " << weights.shape() << " for " << x.shape()[1] << " classes");
    }
}

/// Where the target is a pad token; empty when there are none.
ops::Handle padded_items(const ops::Handle& targets, std::span<const std::int64_t> tokens) {
    ops::Handle padded;
    for (const std::int64_t token : tokens) {
        ops::Handle here = ops::equal_scalar(targets, token);
        padded = padded ? ops::bool_or(std::move(padded), std::move(here)) : std::move(here);
    }
    return padded;
}

/// Targets that can be looked up: pad tokens that are no class become class 0.
ops::Handle classes_of(ops::Handle targets, std::span<const std::int64_t> tokens, std::int64_t classes) {
    for (const std::int64_t token : tokens) {
        if (token >= 0 && token < classes) continue;
        ops::Handle here = ops::equal_scalar(targets, token);
        targets = ops::mask_fill(std::move(here), std::move(targets), 0);
    }
    return targets;
}

}  // namespace

ops::Handle cross_entropy(ops::Handle x, ops::Handle targets, ops::Handle weights, const CrossEntropyOptions& options) {
    check(x, targets, weights);
    const std::int64_t items = x.shape()[0];
    const std::int64_t classes = x.shape()[1];
    ops::Handle padded = padded_items(targets, options.pad_tokens);
    targets = classes_of(std::move(targets), options.pad_tokens, classes);

    if (options.logits && !weights && options.smoothing == 0) {
        ops::Handle losses = ops::cross_entropy(std::move(x), std::move(targets));
        if (padded) losses = ops::mask_fill(std::move(padded), std::move(losses), 0);
        return ops::over_all(ops::mean, std::move(losses));
    }

    const ops::Handle places = ops::reshape(targets, {items, 1});
    ops::Handle log_p = options.logits ? ops::log_softmax(std::move(x), 1) : ops::log(std::move(x));
    if (weights) log_p = ops::mul(std::move(log_p), ops::reshape(weights, {1, classes}));
    ops::Handle gain = ops::gather(log_p, 1, places, "cross_entropy");
    if (options.smoothing != 0) {
        ops::Handle spread =
            ops::mul_scalar(ops::sum(std::move(log_p), {1}), options.smoothing / static_cast<double>(classes));
        gain = ops::add(ops::mul_scalar(std::move(gain), 1 - options.smoothing), std::move(spread));
    }
    if (padded) gain = ops::mask_fill(ops::reshape(std::move(padded), {items, 1}), std::move(gain), 0);
    ops::Handle losses = ops::neg(std::move(gain));
    if (!weights) return ops::over_all(ops::mean, std::move(losses));
    ops::Handle total = ops::sum_all(ops::select(std::move(weights), 0, std::move(targets), "cross_entropy"));
    return ops::div(ops::sum_all(std::move(losses)), std::move(total));
}

TensorData detail::class_weights(const CrossEntropyLossConfig& config) {
    require_probability("CrossEntropyLoss", "smoothing", config.smoothing.value_or(0));
    return weights_data("CrossEntropyLoss", config.weights);
}

}  // namespace burn::nn::loss
