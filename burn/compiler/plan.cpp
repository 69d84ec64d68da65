#include <burn/compiler/plan.h>

#include <burn/compiler/describe.h>
#include <burn/compiler/epilogue.h>
#include <burn/compiler/prologue.h>
#include <burn/compiler/views.h>

#include <algorithm>

namespace burn::compiler {

namespace {

std::vector<ValueId> inputs_of(const PlanStep& step, const Segment& segment) {
    std::vector<ValueId> inputs;
    if (step.runs_operation()) inputs.assign(segment.ops[step.op].inputs.begin(), segment.ops[step.op].inputs.end());
    for (const Group& group : step.groups) inputs.insert(inputs.end(), group.inputs.begin(), group.inputs.end());
    return inputs;
}

/// Whether only one group of the step reads the value.
bool read_once(const Plan::Step& step, ValueId value) {
    return std::count_if(step.groups.begin(), step.groups.end(), [&](const Group& group) {
               return std::find(group.inputs.begin(), group.inputs.end(), value) != group.inputs.end();
           }) == 1;
}

}  // namespace

Plan::Plan(Segment segment, const Device& device) : segment_(std::move(segment)) {
    const auto runs_into = [&device](const ops::AnyOp& op) { return device.runs_into(op); };
    order_ = move_views(segment_, runs_into);
    GroupedSegment grouped = group_segment(segment_);
    join_epilogues(grouped, runs_into);
    join_prologues(grouped, segment_, runs_into, [&](const ops::AnyOp& op, std::span<const TensorSpec> operands) {
        return device.takes_prologue(op, operands);
    });
    grouped_ = std::move(grouped.segment);
    first_ = std::move(grouped.first);
    for (PlanStep& step : join_alike(grouped_, std::move(grouped.steps))) steps_.push_back({std::move(step), {}});
    find_releases();
    find_donors();
    memory_ = find_places(device);
}

void Plan::find_releases() {
    std::vector<bool> needed_later(segment_.values.size());
    for (ValueId value = 0; value < segment_.values.size(); ++value) needed_later[value] = segment_.values[value].live;
    for (std::size_t i = steps_.size(); i-- > 0;) {
        Step& step = steps_[i];
        const auto see = [&](ValueId value) {
            if (!needed_later[value]) step.releases.push_back(value);
            needed_later[value] = true;
        };
        for (const ValueId value : inputs_of(step, segment_)) see(value);
        if (!step.is_fused()) {
            for (const ValueId value : segment_.ops[step.op].outputs) see(value);
        }
    }
}

/// A result may take the place of an operand that nobody needs any more and that is read at the same places; but where an index
/// may be wrong, the operands are needed again.
void Plan::find_donors() {
    const auto fills_space = [this](ValueId value, const Group& group) {
        return grouped_.values[value].spec.shape == group.space;
    };
    const auto may_give = [&](const Step& step, const Group& group, std::size_t i) {
        const ValueId input = group.inputs[i];
        return fills_space(group.names[i], group) && read_once(step, input) &&
               std::find(step.releases.begin(), step.releases.end(), input) != step.releases.end();
    };
    for (const Step& step : steps_) {
        auto& runs = runs_.emplace_back(step.groups.size());
        for (std::size_t g = 0; g < step.groups.size(); ++g) {
            const Group& group = step.groups[g];
            const bool checks = checks_indices(group, grouped_);
            for (const ValueId output : group.outputs) {
                auto& donors = runs[g].donors.emplace_back();
                for (std::size_t i = 0; !checks && !group.feeds_product && i < group.inputs.size(); ++i) {
                    if (segment_.values[group.inputs[i]].spec == segment_.values[output].spec &&
                        fills_space(output, group) && may_give(step, group, i))
                        donors.push_back(group.inputs[i]);
                }
            }
        }
    }
}

MemoryPlan Plan::find_places(const Device& device) const {
    std::vector<const PlanStep*> steps;
    for (const Step& step : steps_) steps.push_back(&step);
    return plan_memory({segment_, steps,
                        [this](std::size_t step, std::size_t group, std::size_t output) {
                            return std::span<const ValueId>(runs_[step][group].donors[output]);
                        },
                        [&device](const ops::AnyOp& op) { return device.runs_into(op); }});
}

std::string Plan::why_not_compiled(std::size_t step) const {
    const std::lock_guard lock(mutex_);
    for (const GroupRun& run : runs_[step]) {
        if (!run.not_compiled.empty()) return run.not_compiled;
    }
    return {};
}

std::string describe(const Plan& plan) {
    std::string text;
    for (std::size_t i = 0; i < plan.steps().size(); ++i) {
        const Plan::Step& step = plan.steps()[i];
        text += describe(step, plan.segment()).text();
        text += describe_apart(step, plan.segment()).text();
        if (const std::string error = plan.why_not_compiled(i); !error.empty())
            text += "; its operations ran one by one: " + error;
        text += '\n';
    }
    return text;
}

}  // namespace burn::compiler
