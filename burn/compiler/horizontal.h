#pragma once

#include <burn/compiler/group.h>

#include <vector>

namespace burn::compiler {

/// A step of a plan: an operation that the backend runs, groups of one structure that run as one launch, or an operation and
/// the groups that are its prologue and its epilogue, or one of them.
struct PlanStep {
    std::uint32_t op = 0;  ///< where the backend runs one
    std::vector<Group> groups;
    Apart apart{};  ///< where it is an operation or one group

    bool is_fused() const { return !groups.empty(); }
    const Group* prologue() const { return is_fused() && groups.front().feeds_product ? &groups.front() : nullptr; }
    const Group* epilogue() const { return is_fused() && groups.back().product ? &groups.back() : nullptr; }
    bool is_joined() const { return prologue() != nullptr || epilogue() != nullptr; }
    bool runs_operation() const { return !is_fused() || is_joined(); }
};

/// Puts groups side by side that do the same with other tensors, as the step of an optimiser does with every parameter.
///
/// Only groups that are no part of a product's step and whose results nothing in the segment waits for; they run where the last
/// of them stood.
std::vector<PlanStep> join_alike(const Segment& segment, std::vector<GroupedStep> steps);

}  // namespace burn::compiler
