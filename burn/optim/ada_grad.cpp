#include <burn/optim/ada_grad.h>

#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/optim/weight_decay.h>

namespace burn::optim {

namespace {

class AdaGrad final : public OptimizerRule {
public:
    explicit AdaGrad(const AdaGradConfig& config) : config_(config) {}

    std::span<const char* const> tensor_names() const override {
        static constexpr const char* kNames[] = {"sum"};
        return kNames;
    }

    ops::Handle step(double rate, ops::Handle param, ops::Handle gradient, ParamState& state) const override {
        gradient = add_weight_decay(std::move(gradient), param, config_.weight_decay);
        if (state.tensors.empty()) state.tensors.push_back(ops::full_like(param, 0));
        ops::Handle& sum = state.tensors[0];
        sum = ops::add(std::move(sum), ops::mul(gradient, gradient));
        const double now = rate / (1 + static_cast<double>(state.time - 1) * config_.lr_decay);
        ops::Handle spread = ops::add_scalar(ops::sqrt(sum), config_.epsilon);
        return ops::sub(std::move(param), ops::mul_scalar(ops::div(std::move(gradient), std::move(spread)), now));
    }

private:
    AdaGradConfig config_;
};

}  // namespace

Optimizer AdaGradConfig::init() const {
    require_not_negative("AdaGrad", "lr_decay", lr_decay);
    require_not_negative("AdaGrad", "epsilon", epsilon);
    require_not_negative("AdaGrad", "weight_decay", weight_decay.value_or(0));
    return Optimizer(make_ref<AdaGrad>(*this), gradient_clipping);
}

}  // namespace burn::optim
