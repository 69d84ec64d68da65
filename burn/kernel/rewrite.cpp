#include <burn/kernel/rewrite.h>

#include <burn/base/error.h>
#include <burn/kernel/builder.h>

namespace burn::kernel {

namespace {

class Copier {
public:
    Copier(const Kernel& kernel, Replacement replace)
        : kernel_(kernel), replace_(replace), builder_(kernel.name, kernel.units, kernel.plane),
          copies_(kernel.nodes.size(), Value(0)) {}

    Kernel run() {
        for (const NodeId id : kernel_.parameters) copies_[id] = plain_copy(kernel_[id], {});
        block(0);
        return builder_.finish();
    }

private:
    void block(BlockId id) {
        for (const NodeId node : kernel_.blocks[id]) copy(node);
    }

    /// The nodes of a while's first block but for its end, and what it ends with.
    Value condition(BlockId id) {
        const auto& body = kernel_.blocks[id];
        for (std::size_t i = 0; i + 1 < body.size(); ++i) copy(body[i]);
        return copies_[kernel_[body.back()].operands[0]];
    }

    void copy(NodeId id) {
        const Node& node = kernel_[id];
        std::vector<Value> operands;
        operands.reserve(node.operand_count);
        for (std::size_t i = 0; i < node.operand_count; ++i) operands.push_back(copies_[node.operands[i]]);
        switch (node.kind) {
            case NodeKind::For:
                return builder_.for_loop(operands[0], operands[1], operands[2], [&](const Value& index) {
                    copies_[id] = index;
                    block(node.blocks[0]);
                });
            case NodeKind::If:
                if (node.blocks[1] == kNoBlock) return builder_.if_then(operands[0], [&] { block(node.blocks[0]); });
                return builder_.if_else(operands[0], [&] { block(node.blocks[0]); }, [&] { block(node.blocks[1]); });
            case NodeKind::While:
                return builder_.while_loop([&] { return condition(node.blocks[0]); }, [&] { block(node.blocks[1]); });
            default: break;
        }
        const NodeClass node_class = info_of(node.kind).node_class;
        if (node_class == NodeClass::Leaf || node_class == NodeClass::Pure) {
            if (const auto value = replace_(builder_, node, operands)) {
                require_internal(value->type() == node.type, "kernel: a replacement has another type than its node");
                copies_[id] = *value;
                return;
            }
        }
        copies_[id] = plain_copy(node, operands);
    }

    Value plain_copy(const Node& node, std::span<const Value> operands) {
        return builder_.emit_list(node.kind, operands, node.immediate, node.type);
    }

    const Kernel& kernel_;
    Replacement replace_;
    Builder builder_;
    std::vector<Value> copies_;
};

}  // namespace

Kernel rewrite(const Kernel& kernel, Replacement replace) { return Copier(kernel, replace).run(); }

}  // namespace burn::kernel
