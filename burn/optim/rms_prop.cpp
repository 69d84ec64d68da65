#include <burn/optim/rms_prop.h>

#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/optim/weight_decay.h>

namespace burn::optim {

namespace {

/// share * average + (1 - share) * value
ops::Handle moved(ops::Handle average, double share, ops::Handle value) {
    return ops::add(ops::mul_scalar(std::move(average), share), ops::mul_scalar(std::move(value), 1 - share));
}

class RmsProp final : public OptimizerRule {
public:
    explicit RmsProp(const RmsPropConfig& config) : config_(config) {}

    std::span<const char* const> tensor_names() const override {
        static constexpr const char* kNames[] = {"mean_square", "velocity", "mean"};
        return std::span(kNames).first(config_.centered ? 3 : 2);
    }

    ops::Handle step(double rate, ops::Handle param, ops::Handle gradient, ParamState& state) const override {
        gradient = add_weight_decay(std::move(gradient), param, config_.weight_decay);
        while (state.tensors.size() < tensor_names().size()) state.tensors.push_back(ops::full_like(param, 0));
        ops::Handle& square = state.tensors[0];
        square = moved(std::move(square), config_.alpha, ops::mul(gradient, gradient));
        ops::Handle spread = square;
        if (config_.centered) {
            ops::Handle& mean = state.tensors[2];
            mean = moved(std::move(mean), config_.alpha, gradient);
            spread = ops::sub(std::move(spread), ops::mul(mean, mean));
        }
        spread = ops::add_scalar(ops::sqrt(std::move(spread)), config_.epsilon);
        ops::Handle& velocity = state.tensors[1];
        velocity = ops::add(ops::mul_scalar(std::move(velocity), config_.momentum),
                            ops::div(std::move(gradient), std::move(spread)));
        return ops::sub(std::move(param), ops::mul_scalar(velocity, rate));
    }

private:
    RmsPropConfig config_;
};

}  // namespace

Optimizer RmsPropConfig::init() const {
    require_fraction("RmsProp", "alpha", alpha);
    require_fraction("RmsProp", "momentum", momentum);
    require_not_negative("RmsProp", "epsilon", epsilon);
    require_not_negative("RmsProp", "weight_decay", weight_decay.value_or(0));
    return Optimizer(make_ref<RmsProp>(*this), gradient_clipping);
}

}  // namespace burn::optim
