#include <burn/nn/batch_norm.h>

#include <burn/nn/layer_checks.h>
#include <burn/ops/norm.h>

namespace burn::nn::detail {

namespace {

ops::Handle moved(const AnyRunningState& state, const ops::Handle& batch, double momentum) {
    return ops::add(ops::mul_scalar(state.value(), 1 - momentum), ops::mul_scalar(autodiff::detach(batch), momentum));
}

}  // namespace

void check_batch_norm(std::int64_t num_features) { require_at_least("BatchNorm", "num_features", num_features, 1); }

ops::Handle batch_norm_train(ops::Handle x, ops::Handle gamma, ops::Handle beta, const AnyRunningState& mean,
                             const AnyRunningState& var, double momentum, double epsilon) {
    Dims axes;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        if (axis != 1) axes.push_back(static_cast<std::int64_t>(axis));
    }
    const Shape channels{x.shape()[1]};
    ops::Handle batch_mean = ops::reshape(ops::mean(x, axes), channels);
    ops::Handle batch_var = ops::reshape(ops::var(x, axes, 0), channels);
    ops::Handle y = ops::batch_norm(std::move(x), std::move(gamma), std::move(beta), batch_mean, batch_var, epsilon);
    mean.set(moved(mean, batch_mean, momentum));
    var.set(moved(var, batch_var, momentum));
    return y;
}

ops::Handle batch_norm_infer(ops::Handle x, ops::Handle gamma, ops::Handle beta, const AnyRunningState& mean,
                             const AnyRunningState& var, double epsilon) {
    return ops::batch_norm(std::move(x), std::move(gamma), std::move(beta), mean.value(), var.value(), epsilon);
}

}  // namespace burn::nn::detail
