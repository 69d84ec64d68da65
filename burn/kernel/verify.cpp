#include <burn/kernel/kernel.h>

#include <burn/base/error.h>

namespace burn::kernel {

namespace {

/// Walks the blocks in order and knows which values are in scope.
class Verifier {
public:
    explicit Verifier(const Kernel& kernel)
        : kernel_(kernel), visible_(kernel.nodes.size(), false), uniform_(kernel.nodes.size(), true) {}

    void run() {
        if (kernel_.units == 0 || kernel_.plane == 0 || kernel_.units % kernel_.plane != 0 || kernel_.units > 1024) {
            raise(ErrorKind::Argument, Message() << "kernel " << kernel_.name.c_str() << ": " << kernel_.units
                                                 << " units in planes of " << kernel_.plane
                                                 << "; expected whole planes, at most 1024 units");
        }
        seen_blocks_.assign(kernel_.blocks.size(), false);
        for (const NodeId id : kernel_.parameters) {
            require(id < kernel_.nodes.size(), id, "does not exist");
            require(info_of(kernel_[id].kind).node_class == NodeClass::Parameter, id, "is not a parameter");
            check_type(id);
            visible_[id] = true;
        }
        require(!kernel_.blocks.empty(), 0, "the kernel has no body");
        block(0, kNoBlock, true);
    }

private:
    void require(bool holds, NodeId id, const char* what) const {
        if (!holds)
            raise(ErrorKind::Argument, Message() << "kernel " << kernel_.name.c_str() << ": %" << id << ": " << what);
    }

    void check_type(NodeId id) const {
        const Node& node = kernel_[id];
        require(infer_type(kernel_, node) == node.type, id, "its type is not that of its operands");
    }

    /// `uniform`: all units of a cube come here together. A block that is a condition ends with continue_if.
    void block(BlockId id, NodeId owner, bool uniform, bool is_condition = false) {
        require(depth_ <= kMaxDepth, owner, "is nested too deeply");
        require(id < kernel_.blocks.size(), owner, "its block does not exist");
        require(!seen_blocks_[id], owner, "its block belongs to another node too");
        seen_blocks_[id] = true;
        const auto& body = kernel_.blocks[id];
        ++depth_;
        for (const NodeId& node : body) {
            require(node < kernel_.nodes.size(), node, "does not exist");
            require(!visible_[node], node, "stands twice");
            require((kernel_[node].kind == NodeKind::ContinueIf) == (is_condition && &node == &body.back()), node,
                    "continue_if must end the first block of a while, and stands nowhere else");
            visit(node, uniform);
            visible_[node] = kernel_[node].kind != NodeKind::For;  // its index is a value of its block alone
        }
        require(!is_condition || !body.empty(), owner, "its first block does not end with continue_if");
        for (const NodeId node : body) visible_[node] = false;
        --depth_;
    }

    void visit(NodeId id, bool uniform) {
        const Node& node = kernel_[id];
        const NodeClass node_class = info_of(node.kind).node_class;
        require(node_class != NodeClass::Parameter, id, "a parameter stands in a block");
        for (std::size_t i = 0; i < node.operand_count; ++i) {
            require(node.operands[i] < visible_.size() && visible_[node.operands[i]], id,
                    "uses a value that is not defined before it");
        }
        check_type(id);
        uniform_[id] = compute_uniform(node);
        if (node_class == NodeClass::Sync) require(uniform, id, "stands where not all units of the cube come by");
        const BlockInfo expected = blocks_of(node.kind);
        const int blocks = (node.blocks[0] != kNoBlock ? 1 : 0) + (node.blocks[1] != kNoBlock ? 1 : 0);
        require(expected.least <= blocks && blocks <= expected.most, id, "has too few or too many blocks");
        if (node.kind == NodeKind::For) {
            const Node& step = kernel_[node.operands[2]];
            require(step.kind != NodeKind::Constant || static_cast<std::int64_t>(step.immediate) > 0, id,
                    "its step is not above 0");
            visible_[id] = true;  // its index
            block(node.blocks[0], id, uniform && uniform_[id]);
            visible_[id] = false;
        } else if (node.kind == NodeKind::If) {
            const bool inner = uniform && uniform_[node.operands[0]];
            block(node.blocks[0], id, inner);
            if (node.blocks[1] != kNoBlock) block(node.blocks[1], id, inner);
        } else if (node.kind == NodeKind::While) {
            block(node.blocks[0], id, false, true);
            block(node.blocks[1], id, false);
        }
    }

    /// Whether a value is the same in all units of a cube, as far as is known without running; its operands are known.
    bool compute_uniform(const Node& node) const {
        switch (info_of(node.kind).node_class) {
            case NodeClass::Parameter: return true;
            case NodeClass::Leaf: return node.kind != NodeKind::UnitIndex;
            case NodeClass::Memory:
            case NodeClass::Sync: return kernel_.units == 1;
            case NodeClass::Pure:
            case NodeClass::Control: break;
        }
        for (std::size_t i = 0; i < node.operand_count; ++i) {
            if (!uniform_[node.operands[i]]) return false;
        }
        return true;
    }

    const Kernel& kernel_;
    std::vector<bool> visible_;
    std::vector<bool> uniform_;
    std::vector<bool> seen_blocks_;
    int depth_ = 0;
};

}  // namespace

void verify(const Kernel& kernel) { Verifier(kernel).run(); }

}  // namespace burn::kernel
