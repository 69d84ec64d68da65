#pragma once

#include <burn/compiler/apart.h>
#include <burn/compiler/segment.h>
#include <burn/ops/handle.h>

#include <optional>
#include <utility>

namespace burn::compiler {

/// What the planner may do with an operation.
enum class Role : std::uint8_t {
    Opaque,     ///< the backend runs it
    Pointwise,  ///< an expression of elements at the same place
    Reduce,     ///< rows, columns or everything into one element; see `reduced_part`
    Pick,       ///< an element of each row, by an index (gather); an index beyond the row is found when the kernel ran
    Place,      ///< a value written to an element of each row, by an index (scatter)
    View,       ///< another layout of the same elements; the backend makes it without a copy
};

/// The role of an operation of a segment, and why it is the backend that runs it, where it does.
struct RoleFound {
    Role role;
    Reason reason = Reason::None;
};
RoleFound find_role(const Segment& segment, const SegmentOp& op);

/// Which part of its operand a reduction makes one element of.
enum class Part : std::uint8_t {
    Other,    ///< axes with kept ones between them: no kernel here
    Rows,     ///< the axes from `split` on: one element a row
    Columns,  ///< the axes from `kept` to `split`: one element a column, for every element of the axes before `kept`
    Whole,    ///< all axes
};
struct ReducedPart {
    Part part = Part::Other;
    std::size_t split = 0;
    std::size_t kept = 0;
};

/// Axes of size 1 do not count; nothing is reduced well of an empty shape.
ReducedPart reduced_part(const Shape& shape, const Dims& axes);

/// The reduced part of an operation of role Reduce.
ReducedPart reduced_part(const Segment& segment, const SegmentOp& op);

/// The axis that an operation of role Pick or Place indexes, as a split: it is the only one of the row.
std::size_t indexed_split(const Segment& segment, const SegmentOp& op);

/// The longest row whose columns a kernel that also reduces rows can sum, or draw random numbers for: they wait in an array.
constexpr std::int64_t kLongestSummedRow = 4096;

/// Whether so few elements are one row: the kernel that reduces all of them may use the result, but one thread runs it.
bool is_small_whole(const Shape& shape);

/// Whether an operation on these operands is better recorded as the operations that it is made of: they become one kernel
/// with their neighbours.
bool fuses_decomposed(const ops::AnyOp& op, const ops::HandleList& inputs);

/// Two operations that do one after the other what `op` does, where it reduces the first axes and the last ones but keeps axes
/// between, as the gradient of a convolution's bias does: first the rows, in the kernel that makes the operand, then the columns
/// of what is left. None elsewhere, and none where the result between would lose digits.
std::optional<std::pair<ops::AnyOp, ops::AnyOp>> split_reduction(const ops::AnyOp& op, const ops::HandleList& inputs);

/// Whether computing a pointwise operation again costs more than loading its result from a cache.
bool is_expensive(ops::OpCode code);

}  // namespace burn::compiler
