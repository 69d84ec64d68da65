#pragma once

#include <burn/compiler/apart.h>
#include <burn/compiler/segment.h>

#include <optional>
#include <vector>

namespace burn::compiler {

/// Operations that become one kernel: pointwise ones over one space, reductions of its rows and elements of them named by an
/// index, whose results the group may use at every element of the row, and reductions of its columns or of everything, whose
/// results leave the group.
///
/// The axes of the space before `split` count its rows, those from `split` on are a row. Every value of a group has the shape
/// of the space, or one element a row; only the results of the reductions that leave have another.
struct Group {
    Shape space;
    std::size_t split = 0;  ///< the rank of the space where nothing depends on rows
    /// Whether there are such rows, so that the kernel walks row by row.
    bool rows = false;
    /// Elements of the outermost axes, where the reductions of columns keep these: each has rows of its own.
    std::int64_t kept = 1;
    std::vector<std::uint32_t> ops;      ///< in the segment's order
    std::vector<std::uint32_t> leaving;  ///< those of them that reduce columns, or everything
    std::vector<std::uint32_t>
        constants;                 ///< operations of other steps that make one number: the group makes it itself
    std::vector<ValueId> inputs;   ///< read from memory
    std::vector<ValueId> names;    ///< by input: what the operations of the grouped segment call it
    std::vector<ValueId> outputs;  ///< written to memory, those of `leaving` last and in its order
    /// Of an epilogue: the result whose rows the group's kernel takes as they are finished. `split` cuts rows there though
    /// nothing may depend on them.
    std::optional<ValueId> product;
    /// Of a prologue: the group makes the first operand of the step's operation, some rows at a time. `split` as of an epilogue.
    bool feeds_product = false;

    bool goes_by_rows() const { return product.has_value() || feeds_product; }
};

/// A step of a segment: one operation run by the backend, a group, or both where the group is the operation's epilogue; perhaps
/// a prologue of the operation.
struct GroupedStep {
    std::uint32_t op = 0;  ///< where the backend runs one
    Group group;
    Group prologue;  ///< of no operations where there is none
    Apart apart;     ///< where it is no part of another step

    bool is_group() const { return !group.ops.empty(); }
    bool runs_operation() const { return !is_group() || group.product.has_value(); }
};

/// A segment cut into steps, in an order in which they can run. Operations that nobody needs are left out.
struct GroupedSegment {
    /// The segment as the kernels of groups compute it: values have the shapes of their group's space, and what is read under
    /// another shape than it is computed in has a name of its own, a value after those of the segment.
    Segment segment;
    std::vector<GroupedStep> steps;
    std::vector<ValueId> first;  ///< by value: the first one that is computed in the same way; groups read that
};

/// An operation joins the groups of its operands where their spaces fit, no third step stands between them, and the kernel
/// stays of moderate size; a reduction also those that read its operand. Reshapes and repeated axes do not stand in the way.
GroupedSegment group_segment(const Segment& segment);

}  // namespace burn::compiler
