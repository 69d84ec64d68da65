#include <burn/nn/dropout.h>

#include <burn/nn/layer_checks.h>

namespace burn::nn {

ops::Handle dropout(ops::Handle x, double prob) {
    require_probability("dropout", "prob", prob);
    if (prob == 0) return x;
    // The mask carries the scale, so that forward and backward are one product each.
    ops::Handle mask = ops::random_like(x, Distribution::bernoulli(1 - prob));
    mask = ops::mul_scalar(std::move(mask), prob == 1 ? 0 : 1 / (1 - prob));
    return ops::mul(std::move(x), std::move(mask));
}

Dropout DropoutConfig::init() const {
    require_probability("Dropout", "prob", prob);
    return {.prob = prob};
}

}  // namespace burn::nn
