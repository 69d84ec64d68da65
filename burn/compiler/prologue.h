#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/group.h>

#include <span>

namespace burn::compiler {

/// Lets a group make the first operand of a product some rows at a time, right before the product reads them: the operation and
/// the group, its prologue, become one step, and the operand is never in memory as a whole. `takes`: which operations, of operands
/// like these, the device runs so.
///
/// The operand is all that the group makes, nobody else reads it, and the group's rows lie within the operand's (the last axis;
/// of a convolution all of an image).
void join_prologues(GroupedSegment& grouped,
                    FunctionRef<bool(const ops::AnyOp& op, std::span<const TensorSpec> operands)> takes);

}  // namespace burn::compiler
