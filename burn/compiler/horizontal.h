#pragma once

#include <burn/compiler/group.h>

#include <vector>

namespace burn::compiler {

/// A step of a plan: an operation that the backend runs, or groups of one structure that run as one launch.
struct PlanStep {
    std::uint32_t op = 0;  ///< where `groups` is empty
    std::vector<Group> groups;

    bool is_fused() const { return !groups.empty(); }
};

/// Puts groups side by side that do the same with other tensors, as the step of an optimiser does with every parameter.
///
/// Only groups whose results nothing in the segment waits for; they run where the last of them stood.
std::vector<PlanStep> join_alike(const Segment& segment, std::vector<GroupedStep> steps);

}  // namespace burn::compiler
