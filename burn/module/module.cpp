#include <burn/module/module.h>

namespace burn::detail {

namespace {

/// The tensor on `engine`, which is of the same backend as the one it lives on.
ops::Handle moved_to(ops::Engine& engine, ops::Handle tensor) {
    if (&tensor.engine() == &engine) return tensor;
    return engine.upload(tensor.engine().read(tensor).wait());
}

}  // namespace

void ParamCounter::param(const Path&, const AnyParam& param) {
    if (!param.unique()) {
        for (const AnyParam& seen : shared_) {
            if (seen.tied_to(param)) return;
        }
        shared_.push_back(param);
    }
    count_ += param.spec().shape.numel();
}

void GradientSwitch::param(const Path&, AnyParam& param) { param.set_requires_grad(wanted_); }

void DeviceChange::param(const Path&, AnyParam& param) {
    ops::Handle value = param.take();
    ops::Engine& engine = param.tracks() ? *engine_.inner() : engine_;
    param.set(moved_to(engine, std::move(value)));
}

void DeviceChange::running_state(const Path&, AnyRunningState& state) { state.set(moved_to(engine_, state.value())); }

void DeviceChange::tensor(const Path&, ops::Handle& tensor) { tensor = moved_to(engine_, std::move(tensor)); }

}  // namespace burn::detail
