#pragma once

#include <burn/compiler/segment.h>
#include <burn/kernel/node.h>
#include <burn/ops/handle.h>

#include <optional>

namespace burn::compiler {

/// What the planner may do with an operation.
enum class Role : std::uint8_t {
    Opaque,     ///< the backend runs it
    Pointwise,  ///< an expression of elements at the same place
    Reduce,     ///< the last axis into one element
    View,       ///< another layout of the same elements; the backend makes it without a copy
};

/// The role of an operation of a segment.
Role role_of(const Segment& segment, const SegmentOp& op);

/// How an operation of role Reduce combines elements; a mean is a sum that is divided at the end.
struct ReduceRule {
    kernel::Reduction reduction;
    bool mean = false;
};
ReduceRule reduce_rule(ops::OpCode code);

/// Whether an operation on these operands is better recorded as the operations that it is made of: they become one kernel
/// with their neighbours.
bool fuses_decomposed(const ops::AnyOp& op, const ops::HandleList& inputs);

/// Whether computing a pointwise operation again costs more than loading its result from a cache.
bool is_expensive(ops::OpCode code);

}  // namespace burn::compiler
