#include <burn/compiler/row_values.h>

#include <burn/kernel/pointwise.h>
#include <burn/ops/cast.h>
#include <burn/ops/indexing.h>
#include <burn/ops/pointwise.h>

#include <algorithm>

namespace burn::compiler {

using kernel::kIndex;
using kernel::splat;
using kernel::Value;

namespace {

/// Rows from this length on are multiplied by a reciprocal where they are divided by one number.
constexpr std::int64_t kShortestMultiplied = 1024;

/// Registers of this width come with instructions for a * b + c: those of AVX2 and AVX-512 do.
constexpr std::size_t kBytesWithFma = 32;

}  // namespace

// ---- attributes

void RowValues::declare_attributes(Schedule& schedule) {
    for (const auto* ops : {&outline_.group.ops, &outline_.group.constants}) {
        for (const std::uint32_t op : *ops) {
            const ops::OpCode code = outline_.segment.ops[op].op.code();
            if (code == ops::OpCode::Random) {
                numbers_.declare(op, schedule);
                continue;
            }
            const int scalars = ops::is_pointwise(code) ? ops::pointwise_info(code).scalars : code == ops::OpCode::Full;
            for (int which = 0; which < scalars; ++which)
                declare_attribute(op, static_cast<std::uint8_t>(which), schedule);
        }
    }
}

void RowValues::declare_attribute(std::uint32_t op, std::uint8_t which, Schedule& schedule) {
    const SegmentOp& node = outline_.segment.ops[op];
    const DType type = outline_.compute_dtype(node.inputs.empty() ? node.outputs[0] : node.inputs.back());
    schedule.attributes.push_back({op, which, type});
    attributes_.emplace(op * 2 + which, walk_.k.scalar(type));
}

// ---- numbers of a row

void RowValues::begin_row(const Value& first, const Value& last) {
    of_row_.clear();
    divisors_.clear();
    if (!numbers_.empty()) numbers_.draw_row(tensors_.row_begin_in_space(), first, last);
}

void RowValues::make_row_values(std::uint32_t pass) {
    const Group& group = outline_.group;
    const Segment& segment = outline_.segment;
    if (pass == 0) {
        for (const std::uint32_t op : group.constants) {
            const ValueId constant = segment.ops[op].outputs[0];
            of_row_.emplace(constant, rounding_.rounded(constant, compute(op, of_row_)));
        }
        for (std::size_t i = 0; i < group.names.size(); ++i) {
            if (tensors_.is_one_per_row(i)) of_row_.emplace(group.names[i], tensors_.load_one(i));
        }
    }
    const Phases& phases = outline_.phases;
    for (const std::uint32_t op : group.ops) {
        const ValueId output = segment.ops[op].outputs[0];
        if (!phases.one_per_row[output] || phases.level[output] != pass || of_row_.contains(output)) continue;
        const bool picks = segment.ops[op].op.code() == ops::OpCode::Gather;
        of_row_.emplace(output, rounding_.made(output, picks ? pick(op, pass) : compute(op, of_row_)));
    }
}

// ---- values of elements

Value RowValues::at(ValueId value, RowElements& elements) {
    if (const auto row = of_row_.find(value); row != of_row_.end()) return row->second;
    if (const auto found = elements.made.find(value); found != elements.made.end()) return found->second;
    const std::uint32_t op = outline_.phases.producer[value];
    const auto kept = kept_.find(value);
    Value result(0);
    if (kept != kept_.end() && !fills(elements.pass, value)) {
        result = kept->second.load(elements.in_row, elements.at.lanes);
    } else if (op == Phases::kOutside) {
        result = tensors_.load(tensors_.number_of(value), elements.at);
    } else {
        for (const ValueId input : outline_.segment.ops[op].inputs) at(input, elements);
        result = numbers_.contains(op) ? numbers_.at(op, elements.at, elements.in_row)
                                       : rounding_.made(value, compute(op, elements.made, &elements.at));
    }
    elements.made.emplace(value, result);
    return result;
}

void RowValues::begin_keeping(std::uint32_t pass) {
    for (const ValueId value : outline_.phases.passes[pass].keeps) {
        kept_.emplace(
            value, walk_.k.local_array(outline_.compute_dtype(value), array_size(outline_.row_length(), walk_.lanes)));
    }
}

void RowValues::keep(RowElements& elements) {
    for (const ValueId value : outline_.phases.passes[elements.pass].keeps)
        kept_.at(value).store(elements.in_row, splat(at(value, elements), walk_.lanes));
}

bool RowValues::fills(std::uint32_t pass, ValueId value) const {
    const auto& keeps = outline_.phases.passes[pass].keeps;
    return std::find(keeps.begin(), keeps.end(), value) != keeps.end();
}

Value RowValues::operand(ValueId value, const Numbers& made) const {
    const auto row = of_row_.find(value);
    return row != of_row_.end() ? row->second : made.at(value);
}

Value RowValues::compute(std::uint32_t index, const Numbers& made, const Columns* at) const {
    const SegmentOp& op = outline_.segment.ops[index];
    const ops::OpCode code = op.op.code();
    if (code == ops::OpCode::Full) return attributes_.at(index * 2);
    std::vector<Value> operands;
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
        operands.push_back(rounding_.operand(op, i, operand(op.inputs[i], made)));
    if (code == ops::OpCode::Cast) {
        const DType dtype = op.op.as<ops::Cast>().dtype;
        return cast(cast(operands[0], dtype), ops::accumulator_of(dtype));
    }
    if (code == ops::OpCode::Scatter) return place(index, operands[0], operands[2], *at);
    // Of the vectors that are walked together every other one is left to the divider, which works beside the multiplier.
    if (const auto divisor = divisors_.find(op.inputs.back()); divisor != divisors_.end()) {
        const bool multiplies = at != nullptr && at->copy % 2 == 0;
        if (multiplies && divides_by_row(op) && operands[0].lanes() > 1) return divisor->second.divide(operands[0]);
    }
    const auto attribute = [&](std::uint32_t which) {
        const auto found = attributes_.find(index * 2 + which);
        return found != attributes_.end() ? found->second : Value(0);
    };
    return kernel::emit_pointwise(code, operands, attribute(0), attribute(1));
}

// ---- elements named by an index

RowValues::Index RowValues::index_of(std::uint32_t op) const {
    const Value column = cast(of_row_.at(outline_.segment.ops[op].inputs[1]), kIndex);
    return {column, bool_or(lower(column, 0), greater_equal(column, *walk_.columns))};
}

Value RowValues::pick(std::uint32_t op, std::uint32_t pass) {
    const Index index = index_of(op);
    const Value column = where(index.beyond, 0, index.column);
    RowElements element{Columns{column, 1, std::nullopt}, column, pass};
    return at(outline_.segment.ops[op].inputs[0], element);
}

Value RowValues::place(std::uint32_t op, const Value& operand, const Value& value, const Columns& at) const {
    const bool adds = outline_.segment.ops[op].op.as<ops::Scatter>().update == ops::IndexingUpdate::Add;
    const Value columns = splat(at.first, at.lanes) + walk_.k.iota(kIndex, at.lanes);
    const Value placed = !adds ? value : operand.dtype() == DType::Bool ? bool_or(operand, value) : operand + value;
    return where(equal(columns, splat(index_of(op).column, at.lanes)), placed, operand);
}

// ---- division by a number of the row

void RowValues::prepare_divisors() {
    if (outline_.space.columns() < kShortestMultiplied || walk_.vectors != 0 || outline_.vector_bytes < kBytesWithFma)
        return;
    for (const std::uint32_t op : outline_.group.ops) {
        const SegmentOp& node = outline_.segment.ops[op];
        if (!divides_by_row(node) || outline_.phases.one_per_row[node.outputs[0]]) continue;
        divisors_.try_emplace(node.inputs[1], of_row_.at(node.inputs[1]));
    }
}

bool RowValues::divides_by_row(const SegmentOp& op) const {
    return op.op.code() == ops::OpCode::div && outline_.compute_dtype(op.inputs[1]) == DType::F32 &&
           of_row_.contains(op.inputs[1]);
}

}  // namespace burn::compiler
