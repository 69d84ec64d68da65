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
    if (step.has_epilogue()) line << segment.ops[step.op].op.name() << " + ";
    line << group.space << ':';
    for (const std::uint32_t op : group.ops) line << ' ' << segment.ops[op].op.name();
    // The product comes from the step itself.
    const std::size_t inputs = step.has_epilogue() ? segment.ops[step.op].inputs.size() - 1 : 0;
    line << "; " << inputs + group.inputs.size() << " in, " << group.outputs.size() << " out";
    return line;
}

namespace {

double bytes_of(ValueId value, const Segment& segment) {
    const TensorSpec& spec = segment.values[value].spec;
    return static_cast<double>(spec.shape.numel()) * static_cast<double>(size_of(spec.dtype));
}

profile::Cost cost_of(const SegmentOp& op, const Segment& segment) {
    const auto specs_of = [&segment](const auto& values) {
        SpecList specs;
        for (const ValueId value : values) specs.push_back(segment.values[value].spec);
        return specs;
    };
    const SpecList inputs = specs_of(op.inputs), outputs = specs_of(op.outputs);
    return ops::cost_of(op.op, {inputs.data(), inputs.size()}, {outputs.data(), outputs.size()});
}

}  // namespace

profile::Cost cost_of(const Group& group, const Segment& segment) {
    profile::Cost cost;
    for (const auto* values : {&group.inputs, &group.outputs}) {
        for (const ValueId value : *values) cost.bytes += bytes_of(value, segment);
    }
    for (const std::uint32_t index : group.ops) cost.operations += cost_of(segment.ops[index], segment).operations;
    return cost;
}

profile::Cost cost_with_epilogue(const PlanStep& step, const Segment& segment) {
    const Group& group = step.groups[0];
    profile::Cost cost = cost_of(segment.ops[step.op], segment);
    cost += cost_of(group, segment);
    cost.bytes -= bytes_of(*group.product, segment);
    return cost;
}

}  // namespace burn::compiler
