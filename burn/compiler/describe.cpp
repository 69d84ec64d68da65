#include <burn/compiler/describe.h>

#include <burn/ops/cost.h>

namespace burn::compiler {

Message describe(const PlanStep& step, const Segment& segment) {
    Message line;
    if (!step.is_fused()) {
        line << "run   " << segment.ops[step.op].op;
        return line;
    }
    const Group& group = step.groups[0];
    line << (group.rows ? "rows  " : group.leaving.empty() ? "fused " : "sums  ");
    if (step.groups.size() > 1) line << step.groups.size() << " x ";
    line << group.space << ':';
    for (const std::uint32_t op : group.ops) line << ' ' << segment.ops[op].op.name();
    line << "; " << group.inputs.size() << " in, " << group.outputs.size() << " out";
    return line;
}

profile::Cost cost_of(const Group& group, const Segment& segment) {
    const auto specs_of = [&segment](const auto& values) {
        SpecList specs;
        for (const ValueId value : values) specs.push_back(segment.values[value].spec);
        return specs;
    };
    profile::Cost cost;
    for (const auto* values : {&group.inputs, &group.outputs}) {
        for (const TensorSpec& spec : specs_of(*values))
            cost.bytes += static_cast<double>(spec.shape.numel()) * static_cast<double>(size_of(spec.dtype));
    }
    for (const std::uint32_t index : group.ops) {
        const SegmentOp& op = segment.ops[index];
        const SpecList inputs = specs_of(op.inputs), outputs = specs_of(op.outputs);
        cost.operations +=
            ops::cost_of(op.op, {inputs.data(), inputs.size()}, {outputs.data(), outputs.size()}).operations;
    }
    return cost;
}

}  // namespace burn::compiler
