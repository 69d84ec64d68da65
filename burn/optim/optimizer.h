#pragma once

#include <burn/base/held.h>
#include <burn/module/record.h>
#include <burn/optim/gradient_clipping.h>

#include <string>
#include <vector>

namespace burn::optim {

/// What an optimiser remembers of one parameter.
struct ParamState {
    SmallVector<ops::Handle, 3> tensors;  ///< in the order of the rule's tensor_names; empty before the first step
    std::int64_t time = 0;                ///< how many steps were made
};

/// How one optimiser changes one parameter; the part of an optimiser that differs from others.
class OptimizerRule : public Counted {
public:
    /// Names of the tensors of a ParamState.
    virtual std::span<const char* const> tensor_names() const = 0;
    /// One step: the new value of the parameter. `state.time` counts this step already; `tensors` is empty in the first one.
    virtual ops::Handle step(double rate, ops::Handle param, ops::Handle gradient, ParamState& state) const = 0;
};

/// Changes a module's parameters along their gradients, and remembers what it needs for the next step by parameter id.
///
/// One type for all rules and modules; configs make it: `AdamConfig().init()`.
///
/// Example   auto optimizer = AdamConfig().init();
///           auto grads = GradientsParams::from_grads(loss.backward(), model);
///           model = optimizer.step(1e-3, std::move(model), std::move(grads));
class Optimizer {
public:
    /// Errors    ArgumentError for a clipping that makes no sense
    explicit Optimizer(Ref<OptimizerRule> rule, std::optional<GradientClipping> clipping = {});

    /// The module after one step. Parameters without a gradient stay as they are; the others keep their ids.
    ///
    /// Memory    values are changed in place when the module was given away and has no copy
    /// Errors    ArgumentError when the rate is not a finite number of at least 0, or when a parameter has no value
    template <Module M>
    M step(double rate, M module, GradientsParams gradients) {
        Step mapper(*this, rate, std::move(gradients));
        return map_module(std::move(module), mapper);
    }

    /// The state of every parameter: tensors "<path>.<name>" with the parameter's id, numbers "<path>.time".
    Record record() const;
    /// Goes on from a state; that of a parameter is found by its id, else by its path.
    ///
    /// Errors    RecordError, and nothing changes, when the record is not that of an optimiser of this kind
    void load_record(const Record& record);

private:
    struct Entry {
        std::string path;
        ParamId id = 0;
        ParamState state;
        std::vector<Record::Tensor> loaded;  ///< tensors not yet brought to the parameter's device
    };
    class Step final : public ModuleMapper {
    public:
        Step(Optimizer& optimizer, double rate, GradientsParams gradients);
        void param(const Path& path, AnyParam& param) override;
        void empty_param(const Path& path) override;

    private:
        Optimizer& optimizer_;
        double rate_;
        GradientsParams gradients_;
    };
    Entry& entry_of(const Path& path, ParamId id);

    const OptimizerRule& rule() const { return held(rule_, "Optimizer"); }

    Ref<OptimizerRule> rule_;
    std::optional<GradientClipping> clipping_;
    std::vector<Entry> entries_;
    std::size_t next_ = 0;  ///< where the next parameter's state probably is
};

}  // namespace burn::optim
