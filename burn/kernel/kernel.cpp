#include <burn/kernel/kernel.h>

#include <burn/base/hash.h>

namespace burn::kernel {

std::uint64_t Kernel::hash() const {
    Hasher hasher;
    hasher.add(units);
    hasher.add(plane);
    for (const Node& node : nodes) {
        hasher.add(static_cast<std::uint64_t>(node.kind) << 32 | static_cast<std::uint64_t>(node.type.dtype) << 16 |
                   node.type.lanes);
        for (std::size_t i = 0; i < node.operand_count; ++i) hasher.add(node.operands[i]);
        hasher.add(node.immediate);
        hasher.add(static_cast<std::uint64_t>(node.blocks[0]) << 32 | node.blocks[1]);
    }
    for (const auto& block : blocks) {
        hasher.add(block.size());
        for (const NodeId id : block) hasher.add(id);
    }
    return hasher.value();
}

}  // namespace burn::kernel
