#include <burn/decorators/autodiff/engine.h>

#include <burn/decorators/autodiff/autodiff_tensor.h>

namespace burn::autodiff {

AutodiffEngine::AutodiffEngine(ops::Engine& inner) : inner_(inner) { name_ << "autodiff(" << inner.name() << ')'; }

ops::Handle AutodiffEngine::wrap(ops::Handle inner) {
    return ops::Handle(make_ref<AutodiffTensor>(*this, std::move(inner), GradEdge{}));
}

Pending<TensorData> AutodiffEngine::read(ops::Handle tensor) { return inner_.read(unwrap(std::move(tensor))); }

namespace {

bool any_float(const SpecList& specs) {
    for (const TensorSpec& spec : specs) {
        if (is_float(spec.dtype)) return true;
    }
    return false;
}

}  // namespace

ops::HandleList AutodiffEngine::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    bool tracked = false;
    for (const ops::Handle& input : inputs) tracked = tracked || AutodiffTensor::of(input).edge();
    // Results that are not of Float kind have no gradient: nothing can flow back through them.
    if (!tracked || !any_float(results)) {
        for (ops::Handle& input : inputs) input = unwrap(std::move(input));
        ops::HandleList outputs = inner_.execute(op, std::move(inputs), results);
        for (ops::Handle& output : outputs) output = wrap(std::move(output));
        return outputs;
    }
    const ops::OpClass& op_class = op.op_class();
    if (op_class.gradient == nullptr) {
        if (op_class.decompose != nullptr) return op_class.decompose(op.attributes(), std::move(inputs));
        raise(ErrorKind::Unsupported,
              Message() << op.name() << ": has no gradient, but an operand is tracked; detach it first");
    }

    const ops::Saves saves = op.info().saves;
    SmallVector<GradEdge, 2> parents;
    SpecList input_specs;
    ops::HandleList saved_inputs(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        parents.push_back(AutodiffTensor::of(inputs[i]).edge());
        input_specs.push_back(inputs[i].spec());
        inputs[i] = unwrap(std::move(inputs[i]));
        if (i < 32 && (saves.inputs >> i & 1) != 0) saved_inputs[i] = inputs[i];
    }
    ops::HandleList outputs = inner_.execute(op, std::move(inputs), results);
    ops::HandleList saved_outputs(outputs.size());
    for (std::size_t i = 0; i < outputs.size() && i < 32; ++i) {
        if ((saves.outputs >> i & 1) != 0) saved_outputs[i] = outputs[i];
    }
    auto node = make_ref<GradNode>(op, std::move(parents), std::move(input_specs), results, std::move(saved_inputs),
                                   std::move(saved_outputs));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const GradEdge edge = is_float(results[i].dtype) ? GradEdge{node, static_cast<std::uint32_t>(i)} : GradEdge{};
        outputs[i] = ops::Handle(make_ref<AutodiffTensor>(*this, std::move(outputs[i]), edge));
    }
    return outputs;
}

}  // namespace burn::autodiff
