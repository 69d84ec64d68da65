#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/group.h>

namespace burn::compiler {

/// Lets a group run on the rows of a product as these are finished, while they lie in a cache: the operation and the group, its
/// epilogue, become one step. `takes`: which operations the device runs so.
///
/// The group's space is exactly the product's result, its rows lie within those of the product (the last axis; of a convolution
/// the planes), nothing that it computes leaves it summed over rows, and no third step must run between the two. Others may read
/// the product as well; it is stored for them.
void join_epilogues(GroupedSegment& grouped, FunctionRef<bool(const ops::AnyOp& op)> takes);

}  // namespace burn::compiler
