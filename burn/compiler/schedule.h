#pragma once

#include <burn/compiler/group.h>
#include <burn/core/layout.h>
#include <burn/kernel/kernel.h>

#include <vector>

namespace burn::compiler {

/// A run-time attribute of an operation that a kernel takes as a scalar.
struct AttributeRef {
    std::uint32_t op = 0;
    std::uint8_t which = 0;  ///< 0 or 1: s or t of a pointwise operation; 0: the value of full; see random_parameters
    DType dtype = DType::F32;
};

/// How a group runs as one kernel over tensors of given layouts, and perhaps a second one after it.
///
/// The kernel's buffers are the group's inputs, then its outputs, or for the last outputs their parts; its scalars are `sizes`,
/// then the attributes.
struct Schedule {
    kernel::Kernel kernel;
    std::int64_t cubes = 0;
    std::vector<std::uint64_t> sizes;
    std::vector<AttributeRef> attributes;

    /// Of an epilogue or a prologue: how many elements a row has, one row lying behind the other in the product's result or
    /// operand, and how many cubes in turn work on one.
    std::int64_t row = 0, cubes_per_row = 0;

    /// What the kernel writes in place of the last outputs: parts of reductions. Empty where it writes the outputs.
    std::vector<TensorSpec> parts;
    /// Makes the last outputs whole; its buffers are the parts, then those outputs, its scalars `combine_sizes`.
    kernel::Kernel combine;
    std::int64_t combine_cubes = 0;
    std::vector<std::uint64_t> combine_sizes;

    /// Whether the kernel has one buffer more, a Bool a cube: whether an index lay beyond its row. Then nothing that the kernel
    /// wrote counts.
    bool checks = false;
};

/// Whether a kernel checks that indices lie within their rows.
bool checks_indices(const Group& group, const Segment& segment);

/// Writes the kernel of a group. Shapes and strides are scalars of the kernel, so that groups of one structure share it.
///
/// A cube is a few rows of the space (or a block of a long one); the kernel walks a row in vectors of the device's width. A
/// reduction of rows walks its row once before what needs its result; what is dear to compute again waits in an array
/// meanwhile. A cube of several rows runs the first pass over each before the last walk over the row before it, so that the
/// processor has something to do while the lanes of a reduction are combined; over many rows three passes walk
/// together, each over a row of its own. A reduction of columns keeps the sums of a cube's rows in an array, one of everything in
/// registers; where several cubes make parts of a result, a second kernel combines these in a fixed order, whoever runs the
/// cubes. A cube of an epilogue works on one row, or a block of it.
///
/// Where several passes walk a row, they ask for the next one before they need it; so do elements that take long to compute.
///
/// Shapes    `input_layouts` are those of the group's inputs; they may be read under another shape
/// Memory    each input is read once, or once a pass over the row while that lies in the cache; each output is written once
/// Numerics  f16 and bf16 are computed in f32 and rounded where they are stored; sums run in vector lanes, then pairwise
Schedule schedule(const Segment& segment, const Group& group, std::span<const Layout> input_layouts,
                  std::size_t vector_bytes);

}  // namespace burn::compiler
