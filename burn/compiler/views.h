#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/segment.h>

#include <vector>

namespace burn::compiler {

/// Moves views of values that only they read to where they stand in nobody's way: an operation on one operand is the same before
/// a view and after it.
///
///   f(permute(product)) -> permute(f(product))   where no kernel reads the result: f becomes the product's epilogue
///   permute(f(x)) -> f(permute(x))               where one does: f becomes a part of it, and a view of x costs nothing
///
/// Reshapes and permutations move behind operations, permutations and slices before them. `runs_into`: which operations may have
/// an epilogue. Gives, by operation of the segment as it is now, where it was recorded; values keep their numbers, those between
/// the operations with other shapes.
std::vector<std::uint32_t> move_views(Segment& segment, FunctionRef<bool(const ops::AnyOp& op)> runs_into);

}  // namespace burn::compiler
