#include <burn/optim/adam.h>

#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/optim.h>
#include <burn/optim/weight_decay.h>

#include <cmath>

namespace burn::optim {

namespace {

class Adam final : public OptimizerRule {
public:
    Adam(const ops::AdamStep& attributes, bool amsgrad) : attributes_(attributes), amsgrad_(amsgrad) {}

    std::span<const char* const> tensor_names() const override {
        static constexpr const char* kNames[] = {"moment_1", "moment_2", "max_moment_2"};
        return std::span(kNames).first(amsgrad_ ? 3 : 2);
    }

    ops::Handle step(double rate, ops::Handle param, ops::Handle gradient, ParamState& state) const override {
        while (state.tensors.size() < tensor_names().size()) state.tensors.push_back(ops::full_like(param, 0));
        ops::AdamStep op = attributes_;
        op.rate = rate;
        op.correction_1 = 1 - std::pow(op.beta_1, static_cast<double>(state.time));
        op.correction_2 = 1 - std::pow(op.beta_2, static_cast<double>(state.time));
        if (amsgrad_) return amsgrad_step(op, std::move(param), std::move(gradient), state);
        ops::HandleList results =
            ops::apply(op, ops::list_of(std::move(param), std::move(gradient), std::move(state.tensors[0]),
                                        std::move(state.tensors[1])));
        state.tensors[0] = std::move(results[1]);
        state.tensors[1] = std::move(results[2]);
        return std::move(results[0]);
    }

private:
    /// The formula of AdamStep with the largest v so far in the place of v.
    static ops::Handle amsgrad_step(const ops::AdamStep& op, ops::Handle param, ops::Handle gradient,
                                    ParamState& state) {
        ops::Handle& m = state.tensors[0];
        ops::Handle& v = state.tensors[1];
        ops::Handle& largest = state.tensors[2];
        if (op.kind == ops::WeightDecay::L2) gradient = add_weight_decay(std::move(gradient), param, op.decay);
        m = ops::add(ops::mul_scalar(std::move(m), op.beta_1), ops::mul_scalar(gradient, 1 - op.beta_1));
        v = ops::add(ops::mul_scalar(std::move(v), op.beta_2),
                     ops::mul_scalar(ops::mul(gradient, gradient), 1 - op.beta_2));
        largest = ops::max_pair(std::move(largest), v);
        ops::Handle spread =
            ops::add_scalar(ops::mul_scalar(ops::sqrt(largest), 1 / std::sqrt(op.correction_2)), op.epsilon);
        ops::Handle step = ops::mul_scalar(ops::div(m, std::move(spread)), op.rate / op.correction_1);
        if (op.kind != ops::WeightDecay::L2 && op.decay != 0) {
            ops::Handle shrunk = ops::mul_scalar(param, op.rate * op.decay);
            if (op.kind == ops::WeightDecay::Cautious) {
                shrunk = ops::mask_fill(ops::lower_scalar(ops::mul(step, param), 0), std::move(shrunk), 0);
            }
            param = ops::sub(std::move(param), std::move(shrunk));
        }
        return ops::sub(std::move(param), std::move(step));
    }

    ops::AdamStep attributes_;
    bool amsgrad_;
};

void check(const char* name, double beta_1, double beta_2, double epsilon, double decay) {
    require_fraction(name, "beta_1", beta_1);
    require_fraction(name, "beta_2", beta_2);
    require_not_negative(name, "epsilon", epsilon);
    require_not_negative(name, "weight_decay", decay);
}

}  // namespace

Optimizer AdamConfig::init() const {
    check("Adam", beta_1, beta_2, epsilon, weight_decay.value_or(0));
    const ops::AdamStep attributes{.beta_1 = beta_1,
                                   .beta_2 = beta_2,
                                   .epsilon = epsilon,
                                   .decay = weight_decay.value_or(0),
                                   .kind = ops::WeightDecay::L2};
    return Optimizer(make_ref<Adam>(attributes, amsgrad), gradient_clipping);
}

Optimizer AdamWConfig::init() const {
    check("AdamW", beta_1, beta_2, epsilon, weight_decay);
    const ops::AdamStep attributes{
        .beta_1 = beta_1,
        .beta_2 = beta_2,
        .epsilon = epsilon,
        .decay = weight_decay,
        .kind = cautious_weight_decay ? ops::WeightDecay::Cautious : ops::WeightDecay::Decoupled};
    return Optimizer(make_ref<Adam>(attributes, amsgrad), gradient_clipping);
}

}  // namespace burn::optim
