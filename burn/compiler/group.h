#pragma once

#include <burn/compiler/segment.h>

#include <vector>

namespace burn::compiler {

/// Operations that become one kernel: pointwise ones over one space, and reductions of its last axis.
///
/// Every value of a group has the shape of the space, or that with a last axis of 1 (one element a row).
struct Group {
    Shape space;
    /// Whether there are reductions, so that the kernel walks row by row.
    bool rows = false;
    std::vector<std::uint32_t> ops;  ///< in the segment's order
    std::vector<ValueId> inputs;     ///< read from memory
    std::vector<ValueId> outputs;    ///< written to memory
};

/// A step of a segment: one operation run by the backend, or a group.
struct GroupedStep {
    std::uint32_t op = 0;  ///< where `group` is empty
    Group group;

    bool is_group() const { return !group.ops.empty(); }
};

/// Cuts a segment into steps, in an order in which they can run. Operations that nobody needs are left out.
///
/// An operation joins the groups of its operands where their spaces fit, no third step stands between them, and the kernel
/// stays of moderate size.
std::vector<GroupedStep> group_segment(const Segment& segment);

}  // namespace burn::compiler
