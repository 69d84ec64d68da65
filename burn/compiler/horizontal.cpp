#include <burn/compiler/horizontal.h>

#include <burn/base/hash.h>

#include <algorithm>
#include <unordered_map>

namespace burn::compiler {

namespace {

/// What a group computes, whatever its shapes: operations, types, and who takes whose result.
std::uint64_t signature(const Segment& segment, const Group& group) {
    Hasher hasher;
    hasher.add(group.rows);
    std::unordered_map<ValueId, std::uint64_t> names;
    for (const ValueId name : group.names) {
        names.emplace(name, names.size());
        hasher.add(static_cast<std::uint64_t>(segment.values[name].spec.dtype));
        hasher.add(segment.values[name].spec.shape == group.space);
    }
    for (const std::uint32_t constant : group.constants) names.emplace(segment.ops[constant].outputs[0], names.size());
    for (const std::uint32_t index : group.ops) {
        const SegmentOp& op = segment.ops[index];
        hasher.add(static_cast<std::uint64_t>(op.op.code()));
        for (const ValueId input : op.inputs) hasher.add(names.at(input));
        for (const ValueId output : op.outputs) {
            names.emplace(output, names.size());
            hasher.add(static_cast<std::uint64_t>(segment.values[output].spec.dtype));
        }
    }
    for (const ValueId output : group.outputs) hasher.add(names.at(output));
    return hasher.value();
}

}  // namespace

std::vector<PlanStep> join_alike(const Segment& segment, std::vector<GroupedStep> steps) {
    std::vector<bool> awaited(segment.values.size(), false);
    for (const GroupedStep& step : steps) {
        const auto see = [&](ValueId value) { awaited[value] = true; };
        std::for_each(step.group.inputs.begin(), step.group.inputs.end(), see);
        std::for_each(step.prologue.inputs.begin(), step.prologue.inputs.end(), see);
        if (step.runs_operation())
            std::for_each(segment.ops[step.op].inputs.begin(), segment.ops[step.op].inputs.end(), see);
    }
    // From the end: the last of its kind takes in those before it.
    std::vector<PlanStep> joined;
    std::unordered_map<std::uint64_t, std::size_t> open;
    for (std::size_t i = steps.size(); i-- > 0;) {
        GroupedStep& step = steps[i];
        PlanStep next{step.op, {}, step.apart};
        if (step.is_group()) {
            const auto& outputs = step.group.outputs;
            const bool last = !step.group.product && std::none_of(outputs.begin(), outputs.end(),
                                                                  [&](ValueId value) { return awaited[value]; });
            const std::uint64_t key = last ? signature(segment, step.group) : 0;
            if (const auto found = open.find(key); last && found != open.end()) {
                joined[found->second].groups.push_back(std::move(step.group));
                joined[found->second].apart = {};
                continue;
            }
            if (last) open.emplace(key, joined.size());
            next.groups.push_back(std::move(step.group));
        }
        if (!step.prologue.ops.empty()) next.groups.push_back(std::move(step.prologue));  // the order is turned round
        joined.push_back(std::move(next));
    }
    std::reverse(joined.begin(), joined.end());
    for (PlanStep& step : joined) std::reverse(step.groups.begin(), step.groups.end());
    return joined;
}

}  // namespace burn::compiler
