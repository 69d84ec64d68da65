#include <burn/compiler/describe.h>

#include <burn/ops/cost.h>

namespace burn::compiler {

namespace {

void write(Message& line, const Group& group, const Segment& segment) {
    line << group.space << ':';
    for (const std::uint32_t op : group.ops) line << ' ' << segment.ops[op].op.name();
}

void write_joined(Message& line, const PlanStep& step, const Segment& segment) {
    const SegmentOp& op = segment.ops[step.op];
    // What the operation and its groups hand on to each other comes from the step itself.
    std::size_t inputs = op.inputs.size();
    if (const Group* prologue = step.prologue()) {
        write(line, *prologue, segment);
        line << " + ";
        inputs += prologue->inputs.size() - 1;
    }
    line << op.op.name();
    std::size_t outputs = op.outputs.size();
    if (const Group* epilogue = step.epilogue()) {
        line << " + ";
        write(line, *epilogue, segment);
        inputs += epilogue->inputs.size() - 1;
        outputs = epilogue->outputs.size();
    }
    line << "; " << inputs << " in, " << outputs << " out";
}

}  // namespace

Message describe(const PlanStep& step, const Segment& segment) {
    Message line;
    if (!step.is_fused()) {
        line << "run   " << segment.ops[step.op].op;
        return line;
    }
    const Group& group = step.groups.back();
    line << (group.rows ? "rows  " : group.leaving.empty() ? "fused " : "sums  ");
    if (step.is_joined()) {
        write_joined(line, step, segment);
        return line;
    }
    if (step.groups.size() > 1) line << step.groups.size() << " x ";
    write(line, group, segment);
    line << "; " << group.inputs.size() << " in, " << group.outputs.size() << " out";
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

profile::Cost cost_of_joined(const PlanStep& step, const Segment& segment) {
    const SegmentOp& op = segment.ops[step.op];
    profile::Cost cost = cost_of(op, segment);
    for (const Group& group : step.groups) cost += cost_of(group, segment);
    if (step.prologue() != nullptr) cost.bytes -= 2 * bytes_of(op.inputs[0], segment);
    if (step.epilogue() != nullptr) cost.bytes -= bytes_of(op.outputs[0], segment);
    return cost;
}

}  // namespace burn::compiler
