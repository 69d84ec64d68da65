#pragma once

#include <burn/compiler/columns.h>
#include <burn/compiler/grid.h>
#include <burn/compiler/group.h>
#include <burn/compiler/phases.h>
#include <burn/compiler/space.h>

#include <span>

namespace burn::compiler {

/// What is decided of a group's kernel before it is written: over which axes it runs, how these are cut into cubes, in which
/// passes it walks a row, and in which vectors.
struct Outline {
    const Segment& segment;
    const Group& group;
    std::size_t vector_bytes = 0;  ///< of the device's registers
    Space space;  ///< its tensors: inputs, stored outputs, and where numbers are drawn the space itself
    Grid grid;
    Phases phases;

    DType dtype(ValueId value) const { return segment.values[value].spec.dtype; }
    /// Half types are computed in f32.
    DType compute_dtype(ValueId value) const;

    /// How many outputs the kernel stores as it walks; after them come those of the group's `leaving`.
    std::size_t stored_outputs() const { return group.outputs.size() - group.leaving.size(); }
    std::int64_t row_length() const { return space.lines() * space.columns(); }
    /// The elements of a row that one cube works on, at most.
    std::int64_t cube_length() const { return group.rows ? row_length() : grid.block; }
    /// The last pass that walks the row; after it come only numbers of the whole row.
    std::uint32_t last_walk() const;
    /// Whether a row is short enough to keep intermediate values of it in an array.
    bool may_keep() const;
    /// Whether a cube runs the first pass over a row before the last walk over the row before it. What ends a pass, the lanes of
    /// a reduction combined and what is made of the result, takes as long as dozens of vectors, which the processor then has to
    /// work on. With two passes that gains nothing at any length, and where rows fill the first cache it loses.
    bool runs_ahead() const;
    /// Whether all of three passes walk together, each over a row of its own: what divides a softmax is done beside exponentials,
    /// which want other units of the processor, and memory has as much to do at all times.
    bool joins_passes() const;
    /// How many rows the first pass then is ahead of the last. With three, what ends a pass has a whole row's time; long rows
    /// have no need of that, and one more would not stay in the first cache.
    std::int64_t rows_ahead() const;
    /// Whether there are neither rows nor sums, only elements that do not know of each other.
    bool computes_only_elements() const;
    /// Whether such elements take so many instructions that the processor, which looks only some hundred ahead, finds too late
    /// what it will need from memory: then the kernel asks for it. Halves are so few bytes that it gains nothing, and what is
    /// done to a product finds it in a cache.
    bool asks_ahead() const;

    /// The vectors in which a kernel walks the columns; its scalars are not known yet.
    RowWalk walk(kernel::Builder& k) const;
};

/// Shapes    `input_layouts` are those of the group's inputs; they may be read under another shape
Outline make_outline(const Segment& segment, const Group& group, std::span<const Layout> input_layouts,
                     std::size_t vector_bytes);

}  // namespace burn::compiler
