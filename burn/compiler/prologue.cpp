#include <burn/compiler/prologue.h>

#include <burn/compiler/rows_within.h>
#include <burn/compiler/schedule.h>

#include <algorithm>

namespace burn::compiler {

namespace {

constexpr std::size_t kNobody = ~std::size_t{0};

/// By value: how often steps read it, and which step does so last.
struct Readers {
    explicit Readers(const GroupedSegment& grouped)
        : count(grouped.segment.values.size(), 0), last(grouped.segment.values.size(), kNobody) {
        for (std::size_t step = 0; step < grouped.steps.size(); ++step) {
            const GroupedStep& mine = grouped.steps[step];
            const auto see = [&](ValueId value) {
                ++count[value];
                last[value] = step;
            };
            std::for_each(mine.group.inputs.begin(), mine.group.inputs.end(), see);
            if (!mine.runs_operation()) continue;
            const SegmentOp& op = grouped.segment.ops[mine.op];
            std::for_each(op.inputs.begin(), op.inputs.end(), see);
        }
    }

    std::vector<std::uint32_t> count;
    std::vector<std::size_t> last;
};

/// The elements of an operand that a product reads together.
std::int64_t row_of_operand(const ops::AnyOp& op, const Shape& operand) {
    return length_from(operand, op.code() == ops::OpCode::Conv ? 1 : operand.rank() - 1);
}

/// Whether an operation reads or gives a tensor without elements: it has no rows then to be fed.
bool is_empty(const SegmentOp& op, const Segment& segment) {
    const auto has_none = [&](ValueId value) { return segment.values[value].spec.shape.numel() == 0; };
    return std::any_of(op.inputs.begin(), op.inputs.end(), has_none) ||
           std::any_of(op.outputs.begin(), op.outputs.end(), has_none);
}

/// With which split a group can make the first operand of an operation.
std::optional<std::size_t> split_before(const Group& group, const SegmentOp& op, const Segment& segment) {
    const Shape& operand = segment.values[op.inputs[0]].spec.shape;
    if (group.outputs.size() != 1 || !group.leaving.empty() || draws_numbers(group, segment) ||
        checks_indices(group, segment) || operand.numel() != group.space.numel() || is_empty(op, segment))
        return std::nullopt;
    return split_within(group, row_of_operand(op.op, operand));
}

}  // namespace

void join_prologues(GroupedSegment& grouped, const Segment& segment, FunctionRef<bool(const ops::AnyOp& op)> runs_into,
                    FunctionRef<bool(const ops::AnyOp& op, std::span<const TensorSpec> operands)> takes) {
    const Readers readers(grouped);
    std::vector<bool> gone(grouped.steps.size(), false);
    for (std::size_t step = 0; step < grouped.steps.size(); ++step) {
        GroupedStep& maker = grouped.steps[step];
        if (maker.runs_operation() || maker.group.outputs.size() != 1) continue;
        const ValueId made = maker.group.outputs[0];
        if (readers.last[made] == kNobody) continue;
        GroupedStep& reader = grouped.steps[readers.last[made]];
        if (!reader.runs_operation()) continue;
        const SegmentOp& op = segment.ops[reader.op];
        SpecList operands;
        for (const ValueId input : op.inputs) operands.push_back(segment.values[input].spec);
        if (op.outputs.size() != 1 || !runs_into(op.op)) continue;
        Reason refused = op.inputs[0] == made ? Reason::None : Reason::NotFirst;
        if (!takes(op.op, {operands.data(), operands.size()})) refused = Reason::NoOperand;
        if (readers.count[made] != 1) refused = Reason::ReadAgain;
        if (segment.values[made].live) refused = Reason::Held;
        const std::optional<std::size_t> split =
            refused == Reason::None ? split_before(maker.group, op, segment) : std::nullopt;
        if (!split) {
            maker.apart = {refused == Reason::None ? Reason::RowsOfOperand : refused, reader.op};
            continue;
        }
        reader.prologue = std::move(maker.group);
        reader.prologue.split = *split;
        reader.prologue.feeds_product = true;
        gone[step] = true;
    }
    std::size_t kept = 0;
    for (std::size_t step = 0; step < grouped.steps.size(); ++step) {
        if (gone[step]) continue;
        if (kept != step) grouped.steps[kept] = std::move(grouped.steps[step]);
        ++kept;
    }
    grouped.steps.resize(kept);
}

}  // namespace burn::compiler
