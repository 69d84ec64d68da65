#include <burn/compiler/rounding.h>

#include <burn/compiler/reduction.h>
#include <burn/ops/cast.h>
#include <burn/ops/pointwise.h>

namespace burn::compiler {

using kernel::Value;

namespace {

/// Whether the result may jump between neighbouring operands: that of a comparison, a cast, floor, the place of an extremum.
bool tells_apart(ops::OpCode code) {
    using ops::OpCode;
    if (is_reduction(code)) return reduce_rule(code).place;
    if (ops::is_pointwise(code) && ops::pointwise_info(code).bool_result) return true;
    switch (code) {
        case OpCode::Cast:
        case OpCode::sign:
        case OpCode::round:
        case OpCode::floor:
        case OpCode::ceil:
        case OpCode::trunc:
        case OpCode::remainder:
        case OpCode::remainder_scalar:
        case OpCode::fmod:
        case OpCode::fmod_scalar:
        case OpCode::threshold:
        case OpCode::shrink: return true;
        default: return false;
    }
}

/// Whether elements of the result are those of an operand, or their negatives: what a program sees of one it sees of the other.
bool hands_on(ops::OpCode code) {
    using ops::OpCode;
    if (is_reduction(code)) {
        const ReduceRule rule = reduce_rule(code);
        return !rule.place && (rule.reduction == kernel::Reduction::Max || rule.reduction == kernel::Reduction::Min);
    }
    switch (code) {
        case OpCode::abs:
        case OpCode::neg:
        case OpCode::relu:
        case OpCode::leaky_relu:
        case OpCode::prelu:
        case OpCode::elu:
        case OpCode::celu:
        case OpCode::clamp:
        case OpCode::clamp_min:
        case OpCode::clamp_max:
        case OpCode::max_pair:
        case OpCode::min_pair:
        case OpCode::where:
        case OpCode::mask_fill:
        case OpCode::Gather: return true;
        default: return false;
    }
}

}  // namespace

Rounding::Rounding(const Segment& segment, const Group& group, const Phases& phases)
    : segment_(segment), phases_(phases), visible_(segment.values.size(), false) {
    for (const ValueId output : group.outputs) visible_[output] = true;
    for (std::size_t i = group.ops.size(); i-- > 0;) {
        const SegmentOp& op = segment.ops[group.ops[i]];
        if (!visible_[op.outputs[0]] || !hands_on(op.op.code())) continue;
        for (const ValueId input : op.inputs) visible_[input] = true;
    }
}

Value Rounding::rounded(ValueId value, const Value& number) const {
    return cast(cast(number, segment_.values[value].spec.dtype), number.dtype());
}

Value Rounding::made(ValueId value, const Value& number) const {
    return visible_[value] ? rounded(value, number) : number;
}

Value Rounding::operand(const SegmentOp& reader, std::size_t which, const Value& number) const {
    const ValueId value = reader.inputs[which];
    return tells_apart(reader.op.code()) && !is_exact(value) ? rounded(value, number) : number;
}

bool Rounding::is_exact(ValueId value) const {
    const std::uint32_t maker = phases_.producer[value];
    if (maker == Phases::kOutside) return true;
    const ops::OpCode code = segment_.ops[maker].op.code();
    return code == ops::OpCode::Cast || code == ops::OpCode::Full || code == ops::OpCode::Random || visible_[value];
}

}  // namespace burn::compiler
