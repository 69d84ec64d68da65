#include <burn/nn/loss/binary_cross_entropy.h>

#include <burn/nn/layer_checks.h>
#include <burn/nn/loss/weights.h>
#include <burn/ops/cast.h>
#include <burn/ops/indexing.h>

namespace burn::nn::loss {

namespace {

void check(const ops::Handle& x, const ops::Handle& targets, const ops::Handle& weights) {
    if (x.shape() != targets.shape()) {
        raise(ErrorKind::Shape,
              Message() << "BinaryCrossEntropyLoss: shapes differ: x " << x.shape() << ", targets " << targets.shape());
    }
    const std::int64_t expected = x.rank() > 1 ? x.shape().back() : 2;
    if (weights && weights.shape() != Shape{expected}) {
        raise(ErrorKind::Shape,
              Message() << "BinaryCrossEntropyLoss: weights " << weights.shape() << "; expected [" << expected << "]");
    }
}

/// The logarithm, at least -100 and with gradient 0 there. `log` is ops::log or x -> ln(1 - x), infinite where `at_end` holds.
ops::Handle bounded_log(ops::Handle (*log)(ops::Handle x), ops::Handle x, const ops::Handle& at_end) {
    constexpr double kLeast = -100;
    ops::Handle inside = ops::mask_fill(at_end, std::move(x), 0.5);
    return ops::mask_fill(at_end, ops::clamp_min(log(std::move(inside)), kLeast), kLeast);
}

ops::Handle log_of_rest(ops::Handle x) { return ops::log1p(ops::neg(std::move(x))); }

/// -(t log x + (1 - t) log(1 - x))
ops::Handle from_probabilities(ops::Handle x, ops::Handle t) {
    ops::Handle hit = bounded_log(ops::log, x, ops::equal_scalar(x, 0));
    const ops::Handle certain = ops::equal_scalar(x, 1);
    ops::Handle miss = bounded_log(log_of_rest, std::move(x), certain);
    ops::Handle rest = ops::mul(ops::sub_from_scalar(t, 1), std::move(miss));
    return ops::neg(ops::add(ops::mul(std::move(t), std::move(hit)), std::move(rest)));
}

/// (1 - t) x - log(sigmoid(x))
ops::Handle from_logits(ops::Handle x, ops::Handle t) {
    ops::Handle log_p = ops::log_sigmoid(x);
    return ops::sub(ops::mul(ops::sub_from_scalar(std::move(t), 1), std::move(x)), std::move(log_p));
}

}  // namespace

ops::Handle binary_cross_entropy(ops::Handle x, ops::Handle targets, ops::Handle weights, double smoothing,
                                 bool logits) {
    check(x, targets, weights);
    const std::size_t rank = x.rank();
    const double entries = rank > 1 ? static_cast<double>(x.shape().back()) : 2;
    ops::Handle t = ops::cast(targets, x.dtype());
    if (smoothing != 0) t = ops::add_scalar(ops::mul_scalar(std::move(t), 1 - smoothing), smoothing / entries);
    ops::Handle losses =
        logits ? from_logits(std::move(x), std::move(t)) : from_probabilities(std::move(x), std::move(t));
    if (weights) {
        if (rank == 1) {
            weights = ops::select(std::move(weights), 0, std::move(targets), "binary_cross_entropy");
        } else {
            Dims shape = Dims::filled(rank, 1);
            shape.back() = weights.shape()[0];
            weights = ops::reshape(std::move(weights), shape);
        }
        losses = ops::mul(std::move(losses), std::move(weights));
    }
    return ops::over_all(ops::mean, std::move(losses));
}

TensorData detail::target_weights(const BinaryCrossEntropyLossConfig& config) {
    require_probability("BinaryCrossEntropyLoss", "smoothing", config.smoothing.value_or(0));
    return weights_data("BinaryCrossEntropyLoss", config.weights);
}

}  // namespace burn::nn::loss
