#include <burn/compiler/group.h>

#include <burn/compiler/fusable.h>

#include <algorithm>
#include <bit>

namespace burn::compiler {

namespace {

constexpr std::uint32_t kNoStep = ~0u;
/// Kernels beyond this take long to compile and run out of registers.
constexpr std::size_t kMaxOps = 48;
constexpr std::size_t kMaxInputs = 16;

Shape row_shape(Shape space) {
    if (!space.empty()) space.back() = 1;
    return space;
}

/// A set of steps, as bits.
class StepSet {
public:
    explicit StepSet(std::size_t steps) : words_((steps + 63) / 64, 0) {}
    bool has(std::uint32_t step) const { return (words_[step / 64] >> (step % 64) & 1) != 0; }
    void add(std::uint32_t step) { words_[step / 64] |= std::uint64_t{1} << (step % 64); }
    void remove(std::uint32_t step) { words_[step / 64] &= ~(std::uint64_t{1} << (step % 64)); }
    void add_all(const StepSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }

    std::size_t count() const {
        std::size_t total = 0;
        for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }

private:
    std::vector<std::uint64_t> words_;
};

/// Steps under construction: each operation starts as one, and steps grow together.
class Grouping {
public:
    explicit Grouping(const Segment& segment)
        : segment_(segment), producer_(segment.values.size(), kNoStep), needed_(find_needed(segment)),
          users_(segment.values.size()), steps_(segment.ops.size(), Step(segment.ops.size())) {}

    std::vector<GroupedStep> run() {
        for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
            if (!needed_[op]) continue;
            for (const ValueId input : segment_.ops[op].inputs) users_[input].push_back(op);
            place(op);
        }
        return finish();
    }

private:
    struct Step {
        explicit Step(std::size_t count) : needs(count) {}
        std::vector<std::uint32_t> ops;
        Shape space;
        bool fusable = false;
        bool rows = false;
        StepSet needs;  ///< every step that must run before, directly or not
    };

    static std::vector<bool> find_needed(const Segment& segment) {
        std::vector<bool> value_needed(segment.values.size(), false), needed(segment.ops.size(), false);
        for (std::size_t op = segment.ops.size(); op-- > 0;) {
            for (const ValueId output : segment.ops[op].outputs)
                needed[op] = needed[op] || segment.values[output].live || value_needed[output];
            if (!needed[op]) continue;
            for (const ValueId input : segment.ops[op].inputs) value_needed[input] = true;
        }
        return needed;
    }

    const Shape& shape(ValueId value) const { return segment_.values[value].spec.shape; }

    /// Makes a step of the operation, then lets it grow together with those of its operands.
    void place(std::uint32_t op) {
        const SegmentOp& node = segment_.ops[op];
        const Role role = role_of(segment_, node);
        Step& step = steps_[op];
        step.ops = {op};
        step.fusable = role == Role::Pointwise || role == Role::Reduce;
        step.rows = role == Role::Reduce;
        step.space = step.rows ? shape(node.inputs[0]) : shape(node.outputs[0]);
        for (const ValueId input : node.inputs) {
            const std::uint32_t before = producer_[input];
            if (before == kNoStep) continue;
            step.needs.add(before);
            step.needs.add_all(steps_[before].needs);
        }
        for (const ValueId output : node.outputs) producer_[output] = op;
        if (!step.fusable) return;
        std::uint32_t mine = op;
        for (std::size_t i = node.inputs.size(); i-- > 0;) {
            const std::uint32_t other = producer_[node.inputs[i]];
            if (other != kNoStep && other != mine && may_merge(mine, other)) mine = merge(other, mine);
        }
    }

    /// The space in which both could be one kernel; empty where there is none.
    bool common_space(const Step& a, const Step& b, Shape& space) const {
        if (a.space == b.space) {
            space = a.space;
            return true;
        }
        // One element a row: only where the rows are those of a reduction.
        if (a.rows && b.space == row_shape(a.space)) {
            space = a.space;
            return !b.rows;
        }
        if (b.rows && a.space == row_shape(b.space)) {
            space = b.space;
            return !a.rows;
        }
        return false;
    }

    bool may_merge(std::uint32_t a, std::uint32_t b) const {
        const Step &x = steps_[a], &y = steps_[b];
        Shape space;
        if (!x.fusable || !y.fusable || !common_space(x, y, space)) return false;
        if (x.ops.size() + y.ops.size() > kMaxOps || count_inputs(x, y) > kMaxInputs) return false;
        return !path_outside(a, b) && !path_outside(b, a);
    }

    /// Whether `to` needs `from` through a third step.
    bool path_outside(std::uint32_t from, std::uint32_t to) const {
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (step != from && step != to && !steps_[step].ops.empty() && steps_[to].needs.has(step) &&
                steps_[step].needs.has(from))
                return true;
        }
        return false;
    }

    std::size_t count_inputs(const Step& a, const Step& b) const {
        std::vector<ValueId> read, made;
        for (const Step* step : {&a, &b}) {
            for (const std::uint32_t op : step->ops) {
                for (const ValueId input : segment_.ops[op].inputs) read.push_back(input);
                for (const ValueId output : segment_.ops[op].outputs) made.push_back(output);
            }
        }
        std::sort(read.begin(), read.end());
        read.erase(std::unique(read.begin(), read.end()), read.end());
        return static_cast<std::size_t>(std::count_if(read.begin(), read.end(), [&](ValueId value) {
            return std::find(made.begin(), made.end(), value) == made.end();
        }));
    }

    /// Moves `from` into `to`.
    std::uint32_t merge(std::uint32_t to, std::uint32_t from) {
        Step &target = steps_[to], &source = steps_[from];
        common_space(target, source, target.space);
        target.rows = target.rows || source.rows;
        for (const std::uint32_t op : source.ops) {
            target.ops.push_back(op);
            for (const ValueId output : segment_.ops[op].outputs) producer_[output] = to;
        }
        target.needs.add_all(source.needs);
        target.needs.remove(to);
        target.needs.remove(from);
        source.ops.clear();
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            Step& other = steps_[step];
            if (other.ops.empty() || step == to) continue;
            if (other.needs.has(from)) {
                other.needs.remove(from);
                other.needs.add(to);
            }
            if (other.needs.has(to)) other.needs.add_all(target.needs);
        }
        return to;
    }

    std::vector<GroupedStep> finish() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (steps_[step].ops.empty()) continue;
            std::sort(steps_[step].ops.begin(), steps_[step].ops.end());
            order.push_back(step);
        }
        // What a step needs, needs less than the step itself does; among equals, the order of the program.
        std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            const std::size_t needs_a = steps_[a].needs.count(), needs_b = steps_[b].needs.count();
            return needs_a != needs_b ? needs_a < needs_b : a < b;
        });
        std::vector<GroupedStep> result;
        for (const std::uint32_t step : order) result.push_back(make_step(step));
        return result;
    }

    GroupedStep make_step(std::uint32_t index) const {
        const Step& step = steps_[index];
        GroupedStep result;
        if (!step.fusable) {
            result.op = step.ops[0];
            return result;
        }
        Group& group = result.group;
        group.space = step.space;
        group.rows = step.rows;
        group.ops = step.ops;
        for (const std::uint32_t op : step.ops) {
            for (const ValueId input : segment_.ops[op].inputs) {
                if (producer_[input] != index &&
                    std::find(group.inputs.begin(), group.inputs.end(), input) == group.inputs.end())
                    group.inputs.push_back(input);
            }
            for (const ValueId output : segment_.ops[op].outputs) {
                const auto& users = users_[output];
                const bool leaves = std::any_of(users.begin(), users.end(), [&](std::uint32_t user) {
                    return std::find(step.ops.begin(), step.ops.end(), user) == step.ops.end();
                });
                if (segment_.values[output].live || leaves) group.outputs.push_back(output);
            }
        }
        return result;
    }

    const Segment& segment_;
    std::vector<std::uint32_t> producer_;  ///< the step that makes a value
    std::vector<bool> needed_;
    std::vector<std::vector<std::uint32_t>> users_;  ///< needed operations by operand
    std::vector<Step> steps_;
};

}  // namespace

std::vector<GroupedStep> group_segment(const Segment& segment) { return Grouping(segment).run(); }

}  // namespace burn::compiler
