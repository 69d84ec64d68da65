#pragma once

#include <burn/kernel/node.h>

#include <string>
#include <vector>

namespace burn::kernel {

/// How many blocks may lie in each other within a kernel's body.
constexpr int kMaxDepth = 64;

/// A kernel: what one unit of one cube does, over parameters that each launch gives.
///
/// A launch runs a grid of cubes in any order and at the same time; a cube is `units` units that can wait for each other,
/// in planes of `plane` neighbours. A plain value; the builder makes it, `verify` checks it, `print` and `parse` are its
/// text form.
///
/// Numerics  no contraction: a product and a sum are rounded twice unless written as fma
struct Kernel {
    std::string name;
    std::uint32_t units = 1;
    std::uint32_t plane = 1;
    std::vector<Node> nodes;
    /// The nodes of each block in order; block 0 is the kernel's body.
    std::vector<std::vector<NodeId>> blocks{1};
    /// Buffers and scalars, in the order in which a launch gives them.
    std::vector<NodeId> parameters;

    const Node& operator[](NodeId id) const { return nodes[id]; }

    /// A hash of everything but the name.
    std::uint64_t hash() const;
    bool operator==(const Kernel&) const = default;
};

/// The type that `node` must have in `kernel`, from its kind and operands.
///
/// Errors    DTypeError or ArgumentError naming kernel, node and what was expected when the operands do not fit
Type infer_type(const Kernel& kernel, const Node& node);

/// Checks that every node has the operands and the type that its kind demands, that values are defined before and around
/// their use, and that synchronisation stands where all units of a cube come by.
///
/// Errors    those of infer_type; ArgumentError naming kernel and node
void verify(const Kernel& kernel);

}  // namespace burn::kernel
