#include <burn/compiler/describe.h>

#include <burn/compiler/fusable.h>
#include <burn/compiler/growing_steps.h>
#include <burn/ops/cost.h>
#include <burn/ops/print_fields.h>

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
        // A plan runs other numbers than those of the program that it was made for.
        const ops::AnyOp& op = segment.ops[step.op].op;
        line << "run   " << op.name() << '(';
        ops::PrintFields attributes(line, ops::PrintFields::Values::Structural);
        op.visit_fields(attributes);
        line << ')';
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

void write(Message& text, Reason reason, const char* other) {
    switch (reason) {
        case Reason::None: break;
        case Reason::NoKernel: text << "fused kernels do not compute it"; break;
        case Reason::NoRows:
            text << "kernels compute it over the last axes, where their rows are neither short nor few but long";
            break;
        case Reason::OwnKernel: text << "it has a kernel of its own"; break;
        case Reason::View: text << "a view, which takes no kernel"; break;
        case Reason::Drawn: text << "kernels draw only uniform floats and Bernoulli numbers"; break;
        case Reason::DrawnAlone: text << "nothing is done with the numbers in the same kernel"; break;
        case Reason::PlaceAlone: text << "alone, the backend finds places of extrema faster"; break;
        case Reason::Axes: text << "kernels do not reduce axes on both sides of kept ones, or of size 1"; break;
        case Reason::FewRows: text << "few long rows, which the backend spreads over all threads"; break;
        case Reason::FewColumns: text << "too few elements before or after the axes that it reduces"; break;
        case Reason::PlaceOfColumns: text << "kernels find places of extrema in rows only"; break;
        case Reason::Index: text << "it does not take one element of each row"; break;
        case Reason::ReadsWhatLeaves:
            text << "apart from " << other << ", whose result is whole only when its kernel has ended";
            break;
        case Reason::Operations:
            text << "apart from " << other << ": more than " << GrowingSteps::kMaxOps << " operations";
            break;
        case Reason::Leaving:
            text << "apart from " << other << ": more than " << GrowingSteps::kMaxLeaving << " reductions of columns";
            break;
        case Reason::Operands:
            text << "apart from " << other << ": more than " << GrowingSteps::kMaxInputs << " operands";
            break;
        case Reason::Shapes: text << "apart from " << other << ": their shapes differ"; break;
        case Reason::OtherAxes: text << "apart from " << other << ": they reduce other axes"; break;
        case Reason::DrawnOfRows: text << "apart from " << other << ": random numbers of rows"; break;
        case Reason::LongRows:
            text << "apart from " << other << ": rows of more than " << kLongestSummedRow
                 << ", whose columns are summed or drawn";
            break;
        case Reason::Between: text << "apart from " << other << ": another step runs between them"; break;
        case Reason::Single: text << "nothing to fuse it with"; break;
        case Reason::NoReader: text << "no kernel reads its result"; break;
        case Reason::DrawnOfProduct: text << "apart from " << other << ", whose kernel draws random numbers"; break;
        case Reason::SumsOfProduct:
            text << "apart from " << other << ", whose kernel sums columns or everything";
            break;
        case Reason::ElementsOfProduct: text << "apart from " << other << ": their shapes differ"; break;
        case Reason::RowsOfProduct:
            text << "apart from " << other << ", whose rows are short or not the product's";
            break;
        case Reason::OtherProduct: text << "apart from " << other << ", which follows another product"; break;
        case Reason::NoOperand: text << "apart from " << other << ", which takes no operand made by rows"; break;
        case Reason::Held: text << "apart from " << other << ": the program holds its operand"; break;
        case Reason::ReadAgain: text << "apart from " << other << ": its operand is read by another step too"; break;
        case Reason::NotFirst: text << "apart from " << other << ", which only takes its first operand so"; break;
        case Reason::RowsOfOperand: text << "apart from " << other << ", whose operand cannot be made by rows"; break;
    }
}

}  // namespace

Message describe_apart(const PlanStep& step, const Segment& segment) {
    const auto& [reason, other] = step.apart;
    Message text;
    // A step that ends with its product says why the group after it is another step.
    const bool ends_with_product = step.is_joined() && step.epilogue() == nullptr && reason != Reason::NoReader;
    if (reason == Reason::None || (step.is_joined() && !ends_with_product)) return text;
    text << "; ";
    write(text, reason, other == Apart::kNobody ? "" : segment.ops[other].op.name());
    return text;
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
