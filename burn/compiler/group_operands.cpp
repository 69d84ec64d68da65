#include <burn/compiler/group_operands.h>

#include <algorithm>

namespace burn::compiler {

namespace {

/// A number that takes more operations is made once and read.
constexpr std::size_t kMaxConstant = 8;

}  // namespace

GroupOperands::GroupOperands(const Segment& segment)
    : segment_(segment), readings_(find_readings(segment)), maker_(segment.values.size(), kNoMaker) {
    for (std::uint32_t op = 0; op < segment.ops.size(); ++op) {
        roles_.push_back(find_role(segment, segment.ops[op]));
        for (const ValueId output : segment.ops[op].outputs) maker_[output] = op;
        keep_whole_operand(op);
        constants_.push_back(count_constant(op));
    }
    find_needed();
    find_widened();
}

/// A reduction counts repeated elements, so it must see them; an index counts along whole rows.
void GroupOperands::keep_whole_operand(std::uint32_t op) {
    std::vector<Reading>& readings = readings_.by_op[op];
    if (role(op) == Role::Pointwise || readings.empty()) return;
    const ValueId operand = segment_.ops[op].inputs[0];
    const Shape& shape = segment_.values[operand].spec.shape;
    if (readings[0].shape != shape) readings[0] = {operand, shape};
}

/// Of how many operations an operation makes one number, the same for all elements; 0 where it does not.
std::size_t GroupOperands::count_constant(std::uint32_t op) const {
    if (segment_.ops[op].op.code() == ops::OpCode::Full) return 1;
    if (role(op) != Role::Pointwise || draws(op)) return 0;
    std::size_t operations = 1;
    for (const Reading& reading : of(op)) {
        if (!is_constant(reading.value)) return 0;
        operations += constants_[maker_[reading.value]];
    }
    return operations <= kMaxConstant ? operations : 0;
}

void GroupOperands::add_constant(ValueId value, Group& group, Segment& grouped) const {
    const std::uint32_t op = maker_[value];
    for (std::size_t i = 0; i < of(op).size(); ++i) {
        grouped.ops[op].inputs[i] = of(op)[i].value;
        add_constant(of(op)[i].value, group, grouped);
    }
    if (std::find(group.constants.begin(), group.constants.end(), op) == group.constants.end())
        group.constants.push_back(op);
}

void GroupOperands::find_needed() {
    std::vector<bool> value_needed(segment_.values.size(), false);
    needed_.assign(segment_.ops.size(), false);
    for (std::uint32_t op = static_cast<std::uint32_t>(segment_.ops.size()); op-- > 0;) {
        for (const ValueId output : segment_.ops[op].outputs)
            needed_[op] = needed_[op] || segment_.values[output].live || value_needed[output];
        if (needed_[op]) for_needs(op, [&](ValueId value) { value_needed[value] = true; });
    }
}

void GroupOperands::find_widened() {
    std::vector<std::size_t> readers(segment_.values.size());
    for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
        if (needed_[op]) for_needs(op, [&](ValueId value) { ++readers[value]; });
    }
    for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
        const SegmentOp& node = segment_.ops[op];
        widens_for_one_.push_back(false);
        if (node.op.code() != ops::OpCode::Cast || role(op) != Role::Pointwise) continue;
        const Reading& operand = of(op)[0];
        const SegmentValue& result = segment_.values[node.outputs[0]];
        const bool is_there = maker_[operand.value] == kNoMaker || !is_fusable(maker_[operand.value]);
        widens_for_one_[op] = is_there && !result.live && readers[node.outputs[0]] == 1 &&
                              size_of(result.spec.dtype) > size_of(segment_.values[operand.value].spec.dtype);
    }
}

void GroupOperands::recast_operands(std::uint32_t op, const Shape& from, const Shape& to) {
    for (Reading& reading : readings_.by_op[op])
        if (!is_constant(reading.value)) reading.shape = *recast(reading.shape, from, to);
}

}  // namespace burn::compiler
