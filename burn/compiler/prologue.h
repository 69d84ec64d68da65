#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/group.h>

#include <span>

namespace burn::compiler {

/// Lets a group make the first operand of a product some rows at a time, right before the product reads them: the operation and
/// the group, its prologue, become one step, and the operand is never in memory as a whole. `runs_into`:
/// which operations are such products; `takes`: those that the device runs so with operands like these.
///
/// The operand is all that the group makes, nobody else reads it, and the group's rows lie within the operand's (the last axis;
/// of a convolution all of an image). `segment` is what was grouped: the operation reads the operand in its own shape, whatever
/// the group's space is.
void join_prologues(GroupedSegment& grouped, const Segment& segment, FunctionRef<bool(const ops::AnyOp& op)> runs_into,
                    FunctionRef<bool(const ops::AnyOp& op, std::span<const TensorSpec> operands)> takes);

}  // namespace burn::compiler
