#include <burn/compiler/row_values.h>

#include <burn/kernel/pointwise.h>
#include <burn/ops/cast.h>
#include <burn/ops/indexing.h>
#include <burn/ops/pointwise.h>

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

void RowValues::begin_row(const Value& row, const Value& first, const Value& last) {
    row_ = {};
    if (outline_.runs_ahead()) row_.array_begin = rem(row, rows_kept(0)) * array_length();
    if (!numbers_.empty()) numbers_.draw_row(tensors_.row_begin_in_space(), first, last);
}

void RowValues::make_row_values(std::uint32_t pass) {
    const Group& group = outline_.group;
    const Segment& segment = outline_.segment;
    if (pass == 0) {
        for (const std::uint32_t op : group.constants) {
            const ValueId constant = segment.ops[op].outputs[0];
            row_.numbers.emplace(constant, rounding_.rounded(constant, compute(op, row_.numbers)));
        }
        for (std::size_t i = 0; i < group.names.size(); ++i) {
            if (tensors_.is_one_per_row(i)) row_.numbers.emplace(group.names[i], tensors_.load_one(i));
        }
    }
    const Phases& phases = outline_.phases;
    for (const std::uint32_t op : group.ops) {
        const ValueId output = segment.ops[op].outputs[0];
        if (!phases.one_per_row[output] || phases.level[output] != pass || row_.numbers.contains(output)) continue;
        const bool picks = segment.ops[op].op.code() == ops::OpCode::Gather;
        row_.numbers.emplace(output, rounding_.made(output, picks ? pick(op, pass) : compute(op, row_.numbers)));
    }
}

RowValues::FoundNumbers RowValues::found_before(std::uint32_t pass) const {
    FoundNumbers variables;
    for (const std::uint32_t op : outline_.group.ops) {
        const ValueId output = outline_.segment.ops[op].outputs[0];
        const auto found = row_.numbers.find(output);
        const std::uint32_t level = outline_.phases.level[output];
        if (found != row_.numbers.end() && level >= 1 && level <= pass)
            variables.emplace(output, walk_.k.variable(found->second));
    }
    return variables;
}

void RowValues::set(const FoundNumbers& variables) const {
    for (const auto& [value, variable] : variables) variable.set(of_row(value));
}

void RowValues::take(const FoundNumbers& variables) {
    for (const auto& [value, variable] : variables) set_of_row(value, variable.get());
}

// ---- values of elements

Value RowValues::at(ValueId value, RowElements& elements) {
    if (const auto row = row_.numbers.find(value); row != row_.numbers.end()) return row->second;
    if (const auto found = elements.made.find(value); found != elements.made.end()) return found->second;
    const std::uint32_t op = outline_.phases.producer[value];
    const auto kept = kept_.find(value);
    Value result(0);
    if (kept != kept_.end() && kept->second.pass < elements.pass) {
        result = kept->second.array.load(in_array(kept->second, elements), elements.at.lanes);
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
        if (kept_.contains(value)) continue;
        const std::int64_t length = array_length() * rows_kept(pass);
        kept_.emplace(value, Kept{walk_.k.local_array(outline_.compute_dtype(value), length), pass});
    }
}

std::int64_t RowValues::rows_kept(std::uint32_t pass) const {
    if (pass > 0 || !outline_.runs_ahead()) return 1;
    return outline_.joins_passes() ? outline_.rows_ahead() : 2;
}

void RowValues::keep(RowElements& elements) {
    for (const ValueId value : outline_.phases.passes[elements.pass].keeps) {
        const Kept& kept = kept_.at(value);
        kept.array.store(in_array(kept, elements), splat(at(value, elements), walk_.lanes));
    }
}

Value RowValues::in_array(const Kept& kept, const RowElements& elements) const {
    return rows_kept(kept.pass) > 1 ? *row_.array_begin + elements.in_row : elements.in_row;
}

Value RowValues::operand(ValueId value, const Numbers& made) const {
    const auto row = row_.numbers.find(value);
    return row != row_.numbers.end() ? row->second : made.at(value);
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
    if (const auto divisor = row_.divisors.find(op.inputs.back()); divisor != row_.divisors.end()) {
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
    const Value column = cast(row_.numbers.at(outline_.segment.ops[op].inputs[1]), kIndex);
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
        row_.divisors.try_emplace(node.inputs[1], row_.numbers.at(node.inputs[1]));
    }
}

bool RowValues::divides_by_row(const SegmentOp& op) const {
    return op.op.code() == ops::OpCode::div && outline_.compute_dtype(op.inputs[1]) == DType::F32 &&
           row_.numbers.contains(op.inputs[1]);
}

}  // namespace burn::compiler
