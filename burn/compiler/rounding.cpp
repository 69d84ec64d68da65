#include <burn/compiler/rounding.h>

#include <burn/compiler/reduction.h>
#include <burn/ops/cast.h>
#include <burn/ops/pointwise.h>

#include <algorithm>

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

}  // namespace

Value Rounding::rounded(ValueId value, const Value& number) const {
    return cast(cast(number, segment_.values[value].spec.dtype), number.dtype());
}

Value Rounding::made(ValueId value, const Value& number) const {
    return is_stored(value) ? rounded(value, number) : number;
}

Value Rounding::operand(const SegmentOp& reader, std::size_t which, const Value& number) const {
    const ValueId value = reader.inputs[which];
    return tells_apart(reader.op.code()) && !is_exact(value) ? rounded(value, number) : number;
}

bool Rounding::is_stored(ValueId value) const {
    return std::find(group_.outputs.begin(), group_.outputs.end(), value) != group_.outputs.end();
}

bool Rounding::is_exact(ValueId value) const {
    const std::uint32_t maker = phases_.producer[value];
    if (maker == Phases::kOutside) return true;
    const ops::OpCode code = segment_.ops[maker].op.code();
    return code == ops::OpCode::Cast || code == ops::OpCode::Full || code == ops::OpCode::Random || is_stored(value);
}

}  // namespace burn::compiler
