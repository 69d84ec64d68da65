#include <burn/compiler/group.h>

#include <burn/compiler/fusable.h>
#include <burn/compiler/group_operands.h>
#include <burn/compiler/growing_steps.h>
#include <burn/compiler/reduction.h>

#include <algorithm>
#include <map>

namespace burn::compiler {

namespace {

/// How many of the other readers of an operand a reduction tries to join.
constexpr std::size_t kMaxNeighbours = 8;

std::int64_t elements_before(const Shape& space, std::size_t axis) {
    std::int64_t count = 1;
    for (std::size_t outer = 0; outer < axis; ++outer) count *= space[outer];
    return count;
}

/// Lets the steps of a segment grow, and tells what became of them.
class Grouping {
public:
    explicit Grouping(const Segment& segment)
        : segment_(segment), operands_(segment), steps_(segment, operands_), users_(segment.values.size()) {}

    GroupedSegment run() {
        for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
            if (operands_.is_needed(op)) place(op);
        }
        for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
            if (operands_.is_needed(op)) join_makers(op);
        }
        return finish();
    }

private:
    using Step = GrowingSteps::Step;

    // ---- growing

    /// Makes a step of the operation, then lets it grow together with those of its operands.
    void place(std::uint32_t op) {
        const SegmentOp& node = segment_.ops[op];
        operands_.for_needs(op, [&](ValueId value) { users_[value].push_back(op); });
        Step& step = steps_.begin(op);
        if (!step.fusable) return;
        if (operands_.role(op) == Role::Pointwise) {
            step.space = steps_.shape(node.outputs[0]);
            step.split = step.space.rank();
            step.draws = operands_.draws(op);
            grow(op);
            return;
        }
        step.space = operands_.of(op)[0].shape;
        if (operands_.role(op) != Role::Reduce) {
            step.rows = true;
            step.split = indexed_split(segment_, node);
            grow(op);
            return;
        }
        const ReducedPart reduced = reduced_part(segment_, node);
        if (reduced.part == Part::Rows || (reduced.part == Part::Whole && is_small_whole(step.space))) {
            step.rows = true;
            step.split = reduced.split;
            if (grow(op) || reduced.part == Part::Rows || reduce_rule(node.op.code()).place) return;
        }
        // The result leaves the group; where nothing joins, a small whole stays one row, which takes no second kernel.
        const Step alone = step;
        step.rows = false;
        step.columns = reduced.part == Part::Columns;
        step.kept = reduced.kept;
        step.split = step.columns ? reduced.split : step.space.rank();
        step.leaving = 1;
        steps_.set_leaves(op, true);
        if (grow(op) || !alone.rows) return;
        step = alone;
        steps_.set_leaves(op, false);
    }

    /// Merges the step of a new operation with those of its operands and, where rows or columns are reduced, with those that
    /// read the same; gives whether any was found.
    bool grow(std::uint32_t op) {
        std::uint32_t mine = op;
        const auto try_step = [&](std::uint32_t other) {
            if (other != GrowingSteps::kNoStep && other != mine && steps_.join(other, mine)) mine = other;
        };
        for (std::size_t i = operands_.of(op).size(); i-- > 0;) try_step(steps_.producer(operands_.of(op)[i].value));
        for (const Reading& reading : operands_.of(op)) {
            if (operands_.is_constant(reading.value) || reading.shape != steps_[mine].space) continue;
            const auto& users = users_[reading.value];
            const std::size_t first = users.size() > kMaxNeighbours ? users.size() - kMaxNeighbours : 0;
            for (std::size_t i = first; i < users.size(); ++i) {
                const std::uint32_t neighbour = steps_.step_of(users[i]);
                if (neighbour == GrowingSteps::kNoStep || (steps_[mine].is_free() && steps_[neighbour].is_free()))
                    continue;
                const std::vector<Reading>& theirs = operands_.of(users[i]);
                const bool reads_the_same = std::find(theirs.begin(), theirs.end(), reading) != theirs.end();
                if (reads_the_same) try_step(neighbour);
            }
        }
        return mine != op || steps_[mine].ops.size() > 1;
    }

    /// Tries again what did not fit when the operation was new: numbers of rows are part of a step only once it has rows.
    void join_makers(std::uint32_t op) {
        for (const Reading& reading : operands_.of(op)) {
            const std::uint32_t mine = steps_.step_of(op), maker = steps_.producer(reading.value);
            if (maker != GrowingSteps::kNoStep && maker != mine) steps_.join(maker, mine);
        }
    }

    // ---- the result

    GroupedSegment finish() {
        const std::vector<std::uint32_t> order = steps_.finish();
        GroupedSegment result;
        result.segment = segment_;
        result.first = operands_.first();
        for (ValueId value = 0; value < segment_.values.size(); ++value)
            result.segment.values[value].spec.shape = steps_.shape(value);
        for (const std::uint32_t step : order) result.steps.push_back(make_step(step, result.segment));
        return result;
    }

    GroupedStep make_step(std::uint32_t index, Segment& grouped) {
        const Step& step = steps_[index];
        GroupedStep result;
        result.apart = why_apart(index);
        if (!step.fusable || why_best_alone(step) != Reason::None) {
            result.op = step.ops[0];
            return result;
        }
        Group& group = result.group;
        group.space = step.space;
        group.split = step.is_free() ? step.space.rank() : step.split;
        group.rows = step.rows;
        group.kept = elements_before(step.space, step.kept);
        group.ops = step.ops;
        for (const std::uint32_t op : step.ops) {
            const std::vector<Reading>& operands = operands_.of(op);
            for (std::size_t i = 0; i < operands.size(); ++i)
                grouped.ops[op].inputs[i] = name_operand(operands[i], index, group, grouped);
            if (steps_.leaves(op)) {
                group.leaving.push_back(op);
                continue;
            }
            for (const ValueId output : segment_.ops[op].outputs) {
                const auto& users = users_[output];
                const bool used_outside = std::any_of(
                    users.begin(), users.end(), [&](std::uint32_t user) { return steps_.step_of(user) != index; });
                if (segment_.values[output].live || used_outside) group.outputs.push_back(output);
            }
        }
        for (const std::uint32_t op : group.leaving) group.outputs.push_back(segment_.ops[op].outputs[0]);
        return result;
    }

    /// What backends are good at when nothing is done with it: random numbers, and places of extrema in rows of floats, which
    /// they read once with little more than a maximum for each vector.
    Reason why_best_alone(const Step& step) const {
        if (step.ops.size() != 1) return Reason::None;
        const SegmentOp& op = segment_.ops[step.ops[0]];
        if (operands_.draws(step.ops[0])) return Reason::DrawnAlone;
        if (!step.rows || !reduce_rule(op.op.code()).place) return Reason::None;
        // Neither what lies behind a view nor what groups make themselves is a tensor here.
        if (operands_.of(step.ops[0])[0].value != op.inputs[0] || operands_.is_constant(op.inputs[0]))
            return Reason::None;
        const DType dtype = segment_.values[op.inputs[0]].spec.dtype;
        return dtype == DType::F32 || dtype == DType::F64 ? Reason::PlaceAlone : Reason::None;
    }

    /// Why a step is no part of one that makes its operands; or that there is none, and nobody that reads its results.
    Apart why_apart(std::uint32_t index) const {
        const Step& step = steps_[index];
        if (!step.fusable) return {operands_.why_not_fusable(step.ops[0])};
        if (const Reason alone = why_best_alone(step); alone != Reason::None) return {alone};
        for (const std::uint32_t op : step.ops) {
            for (const Reading& reading : operands_.of(op)) {
                const std::uint32_t maker = steps_.producer(reading.value);
                if (maker == GrowingSteps::kNoStep || maker == index || !steps_[maker].fusable ||
                    operands_.is_constant(reading.value))
                    continue;
                if (const Reason reason = steps_.why_apart(maker, index); reason != Reason::None)
                    return {reason, operands_.maker(reading.value)};
            }
        }
        return {is_single(step) ? Reason::Single : Reason::None};
    }

    bool is_single(const Step& step) const {
        const auto& outputs = segment_.ops[step.ops[0]].outputs;
        const std::vector<Reading>& operands = operands_.of(step.ops[0]);
        return step.ops.size() == 1 &&
               std::all_of(outputs.begin(), outputs.end(), [&](ValueId value) { return users_[value].empty(); }) &&
               std::all_of(operands.begin(), operands.end(), [&](const Reading& reading) {
                   return steps_.producer(reading.value) == GrowingSteps::kNoStep;
               });
    }

    /// What an operation of the group calls its operand; notes where it comes from.
    ValueId name_operand(const Reading& reading, std::uint32_t step, Group& group, Segment& grouped) {
        if (steps_.producer(reading.value) == step) return reading.value;
        if (operands_.is_constant(reading.value)) {
            operands_.add_constant(reading.value, group, grouped);
            return reading.value;
        }
        ValueId name = reading.value;
        if (reading.shape != steps_.shape(reading.value)) {
            const auto [found, added] =
                aliases_.try_emplace({reading.value, {reading.shape.begin(), reading.shape.end()}},
                                     static_cast<ValueId>(grouped.values.size()));
            name = found->second;
            if (added)
                grouped.values.push_back({{reading.shape, segment_.values[reading.value].spec.dtype}, true, false, {}});
        }
        if (std::find(group.names.begin(), group.names.end(), name) == group.names.end()) {
            group.inputs.push_back(reading.value);
            group.names.push_back(name);
        }
        return name;
    }

    const Segment& segment_;
    GroupOperands operands_;
    GrowingSteps steps_;
    std::vector<std::vector<std::uint32_t>> users_;  ///< placed operations by operand
    /// By value and shape: what a value is called where it is read under another shape than it is computed in.
    std::map<std::pair<ValueId, std::vector<std::int64_t>>, ValueId> aliases_;
};

}  // namespace

GroupedSegment group_segment(const Segment& segment) { return Grouping(segment).run(); }

}  // namespace burn::compiler
