#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/horizontal.h>
#include <burn/compiler/slab.h>

#include <span>

namespace burn::compiler {

/// Where the values of a segment lie that its own steps make and need, and nobody else: in one slab.
///
/// Values have a block of their own that leave the segment, and those that an operation of the backend makes, keeps a view of
/// or may overwrite: a slab that such a value kept alive would hold all of its memory.
struct MemoryPlan {
    std::vector<std::uint64_t> places;  ///< by value: bytes from the slab's beginning, or Slab::kOutside
    std::uint64_t bytes = 0;
    std::size_t first = 0, last = 0;  ///< the steps that need the slab

    bool in_slab(std::size_t value) const { return places[value] != Slab::kOutside; }
};

/// What planning memory asks of a plan.
struct MemoryUse {
    const Segment& segment;
    std::span<const PlanStep* const> steps;
    /// The operands whose memory a result of a group may take, by step, group and result.
    FunctionRef<std::span<const ValueId>(std::size_t step, std::size_t group, std::size_t output)> donors;
    /// Whether the device runs an operation into memory that it is given.
    FunctionRef<bool(const ops::AnyOp& op)> runs_into;
};

MemoryPlan plan_memory(const MemoryUse& use);

}  // namespace burn::compiler
