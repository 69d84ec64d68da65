#include <burn/ops/engine.h>

#include <burn/base/config.h>

#if BURN_HOSTED
#include <burn/base/profile_log.h>
#endif

namespace burn::ops {

#if BURN_HOSTED
namespace {

/// Here, which every program with tensors links, and the plug-in that compiles kernels does not: it has a copy of its own of the
/// code that measures, and would report a second time.
[[maybe_unused]] const bool profiles = profile::start_if_asked();

}  // namespace
#endif

void Handle::raise_empty() {
    raise(ErrorKind::Argument, Message() << "the tensor is empty: it was moved from, or never set");
}

namespace {

/// Operations without operands cannot tell where to run, so a decomposition that creates tensors needs the engine it works for.
void require_same_engine(const AnyOp& op, const HandleList& inputs, const Engine& engine) {
    for (const Handle& input : inputs) {
        if (!input)
            raise(ErrorKind::Argument, Message() << op.name() << ": an operand is empty (moved from, or never set)");
        if (&input.engine() != &engine) {
            raise(ErrorKind::Device, Message() << op.name() << ": operands live on different devices: " << engine.name()
                                               << " and " << input.engine().name() << "; use to_device first");
        }
    }
}

/// `apply`, on what its callers own.
HandleList run_on(Engine& engine, AnyOp& op, HandleList& inputs) {
    require_same_engine(op, inputs, engine);
    SpecList specs;
    for (const Handle& input : inputs) specs.push_back(input.spec());
    const SpecList results = op.infer({specs.data(), specs.size()});
    for (const TensorSpec& result : results) require_valid_shape(result.shape, op.name());
    return engine.execute(op, std::move(inputs), results);
}

Engine& engine_of(const AnyOp& op, const HandleList& inputs) {
    if (inputs.empty() || !inputs[0])
        raise(ErrorKind::Argument, Message() << op.name() << ": the first operand is empty");
    return inputs[0].engine();
}

}  // namespace

HandleList apply_on(Engine& engine, AnyOp op, HandleList inputs) { return run_on(engine, op, inputs); }

HandleList apply(AnyOp op, HandleList inputs) { return run_on(engine_of(op, inputs), op, inputs); }

Handle apply_one(AnyOp op, HandleList inputs) { return std::move(run_on(engine_of(op, inputs), op, inputs)[0]); }

HandleList decompose_on(Engine& engine, const AnyOp& op, HandleList inputs) {
    const OpClass& op_class = op.op_class();
    if (op_class.decompose != nullptr) return op_class.decompose(op.attributes(), std::move(inputs));
    if (op_class.custom != nullptr) return op_class.custom->run_on_host(op, engine, std::move(inputs));
    raise(ErrorKind::Unsupported,
          Message() << op.name() << ": the backend " << engine.name() << " does not run this primitive");
}

}  // namespace burn::ops
