#include <burn/optim/sgd.h>

#include <burn/ops/functions.h>
#include <burn/optim/weight_decay.h>

namespace burn::optim {

namespace {

class Sgd final : public OptimizerRule {
public:
    explicit Sgd(const SgdConfig& config) : config_(config) {}

    std::span<const char* const> tensor_names() const override {
        static constexpr const char* kNames[] = {"velocity"};
        return std::span(kNames).first(config_.momentum ? 1 : 0);
    }

    ops::Handle step(double rate, ops::Handle param, ops::Handle gradient, ParamState& state) const override {
        gradient = add_weight_decay(std::move(gradient), param, config_.weight_decay);
        if (config_.momentum) gradient = direction(std::move(gradient), state);
        return ops::sub(std::move(param), ops::mul_scalar(std::move(gradient), rate));
    }

private:
    ops::Handle direction(ops::Handle gradient, ParamState& state) const {
        const auto& [momentum, dampening, nesterov] = *config_.momentum;
        if (state.tensors.empty()) {
            state.tensors.push_back(gradient);
        } else {
            ops::Handle& velocity = state.tensors[0];
            ops::Handle fresh = dampening == 0 ? gradient : ops::mul_scalar(gradient, 1 - dampening);
            velocity = ops::add(ops::mul_scalar(std::move(velocity), momentum), std::move(fresh));
        }
        const ops::Handle& velocity = state.tensors[0];
        return nesterov ? ops::add(std::move(gradient), ops::mul_scalar(velocity, momentum)) : velocity;
    }

    SgdConfig config_;
};

}  // namespace

Optimizer SgdConfig::init() const {
    if (weight_decay) require_not_negative("Sgd", "weight_decay", *weight_decay);
    if (momentum) {
        require_fraction("Sgd", "momentum", momentum->momentum);
        require_not_negative("Sgd", "dampening", momentum->dampening);
    }
    return Optimizer(make_ref<Sgd>(*this), gradient_clipping);
}

}  // namespace burn::optim
