// Training steps: the work of one, and its check against a loss in double precision.
#pragma once

#include <bench/yardstick/case.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/module/module.h>
#include <burn/optim/optimizer.h>
#include <burn/tensor/tensor.h>

#include <memory>
#include <vector>

namespace burn::bench {

/// The values of a module's parameters, in the order of declaration.
using Parameters = std::vector<std::vector<double>>;

/// Bytes that a step of Adam moves for each parameter: it reads the value, the gradient and two moments, and writes three.
constexpr double kAdamBytes = 7 * 4;

std::vector<double> read_doubles(const ops::Handle& tensor);
std::vector<std::int64_t> read_indices(const ops::Handle& tensor);

/// What a step is checked against.
struct StepReference {
    /// The loss for given parameters, by plain loops.
    std::function<double(const Parameters& parameters)> loss;
    double rate = 1e-3;
    double decay = 0;  ///< decoupled
};

/// One step as the check sees it.
struct StepRecord {
    Parameters before, gradients, after;
    double loss = 0;
};

/// Checks that the loss is the reference's, that gradients are its differences, and that parameters moved as the first step of
/// Adam moves them.
///
///   after = before (1 - rate decay) - rate g / (|g| + 1e-8)
///
/// At full size few gradients are looked at, for each costs two evaluations of the loss.
///
/// Errors    WrongResult
void check_step(const StepRecord& record, const StepReference& reference, bool quick);

/// Appends the values of parameters, or of their gradients where `gradients` is given.
class ParameterReader final : public ModuleVisitor {
public:
    explicit ParameterReader(const optim::GradientsParams* gradients = nullptr) : gradients_(gradients) {}
    void param(const Path& path, const AnyParam& param) override;
    Parameters take() { return std::move(values_); }

private:
    const optim::GradientsParams* gradients_;
    Parameters values_;
};

template <Module M>
Parameters read_parameters(const M& model, const optim::GradientsParams* gradients = nullptr) {
    ParameterReader reader(gradients);
    visit_module(model, reader);
    return reader.take();
}

/// A training step as work: loss_of(model) is a tensor of shape [1].
template <Module M, class LossOf>
Workload training_step(const Place& place, M model, optim::Optimizer optimizer, LossOf loss_of,
                       StepReference reference) {
    struct State {
        M model;
        optim::Optimizer optimizer;
        Parameters before;
        std::optional<optim::GradientsParams> gradients;  ///< of the first step
    };
    auto state = std::make_shared<State>(State{std::move(model), std::move(optimizer), {}, {}});
    state->before = read_parameters(state->model);
    const double rate = reference.rate;
    Workload work;
    work.run = [state, loss_of, rate] {
        auto loss = loss_of(state->model);
        auto gradients = optim::GradientsParams::from_grads(loss.backward(), state->model);
        if (!state->gradients) state->gradients = gradients;
        state->model = state->optimizer.step(rate, std::move(state->model), std::move(gradients));
        return ops::list_of(std::move(loss).handle());
    };
    work.check = [state, reference, quick = place.quick](const ops::HandleList& results) {
        const StepRecord record{state->before, read_parameters(state->model, &*state->gradients),
                                read_parameters(state->model), values_of(results[0]).at(0)};
        check_step(record, reference, quick);
    };
    return work;
}

Workload train_mlp(const Place& place);
Workload train_guide_cnn(const Place& place);
Workload train_gpt(const Place& place);

}  // namespace burn::bench
