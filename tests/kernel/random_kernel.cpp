#include "tests/kernel/random_kernel.h"

#include <burn/base/error.h>
#include <burn/kernel/element.h>

#include <optional>

#include "tests/fuzz/mutator.h"

namespace burn::kernel {

namespace {

class Drawing {
public:
    Drawing(std::uint64_t seed, std::size_t nodes) : random_(seed), left_(nodes) {}

    Kernel run() {
        kernel_.name = random_.one_in(8) ? "a \"name\"\n" : "drawn";
        kernel_.plane = 1u << random_.below(4);
        kernel_.units = kernel_.plane * static_cast<std::uint32_t>(1 + random_.below(4));
        for (std::size_t count = random_.below(6); count > 0; --count) {
            if (auto node = drawn(random_.one_in(3) ? NodeKind::Scalar : NodeKind::Buffer)) append(*node, 0);
        }
        block(0, 0);
        verify(kernel_);
        return std::move(kernel_);
    }

private:
    NodeId append(const Node& node, BlockId block_id) {
        const auto id = static_cast<NodeId>(kernel_.nodes.size());
        kernel_.nodes.push_back(node);
        const bool is_parameter = info_of(node.kind).node_class == NodeClass::Parameter;
        (is_parameter ? kernel_.parameters : kernel_.blocks[block_id]).push_back(id);
        visible_.push_back(id);
        return id;
    }

    BlockId new_block(int depth) {
        const auto id = static_cast<BlockId>(kernel_.blocks.size());
        kernel_.blocks.emplace_back();
        block(id, depth);
        return id;
    }

    void block(BlockId id, int depth) {
        const std::size_t outer = visible_.size();
        for (std::size_t count = depth == 0 ? left_ : random_.below(6); count > 0 && left_ > 0; --count) {
            const auto kind = static_cast<NodeKind>(random_.below(kNodeKinds));
            const NodeClass node_class = info_of(kind).node_class;
            if (node_class == NodeClass::Parameter || kind == NodeKind::ContinueIf) continue;
            if (node_class == NodeClass::Sync && depth > 0) continue;
            if (blocks_of(kind).most > 0 && depth == 4) continue;
            if (auto node = drawn(kind)) {
                --left_;
                fill(append(*node, id), depth);
                if (kind == NodeKind::For) visible_.pop_back();  // its index is a value of its block alone
            }
        }
        visible_.resize(outer);
    }

    /// Gives a node that holds blocks its blocks.
    void fill(NodeId id, int depth) {
        const NodeKind kind = kernel_[id].kind;
        const BlockInfo blocks = blocks_of(kind);
        for (int i = 0; i < blocks.most; ++i) {
            if (i >= blocks.least && random_.one_in(2)) return;
            const BlockId block_id = kind == NodeKind::While && i == 0 ? condition() : new_block(depth + 1);
            kernel_.nodes[id].blocks[static_cast<std::size_t>(i)] = block_id;
        }
    }

    BlockId condition() {
        const auto id = static_cast<BlockId>(kernel_.blocks.size());
        kernel_.blocks.emplace_back();
        const std::size_t outer = visible_.size();
        Node constant;
        constant.type = {DType::Bool, 1};
        constant.immediate = random_.below(2);
        Node end;
        end.kind = NodeKind::ContinueIf;
        end.operand_count = 1;
        end.operands[0] = append(constant, id);
        append(end, id);
        visible_.resize(outer);
        return id;
    }

    /// Whether a loop has a constant step that is not above 0.
    bool stands_still(const Node& loop) const {
        const Node& step = kernel_[loop.operands[2]];
        return step.kind == NodeKind::Constant && static_cast<std::int64_t>(step.immediate) <= 0;
    }

    /// A node of this kind, if one is found for the values there are.
    std::optional<Node> drawn(NodeKind kind) {
        for (int attempt = 0; attempt < 20; ++attempt) {
            Node node = proposal(kind);
            try {
                node.type = infer_type(kernel_, node);
                if (kind == NodeKind::For && stands_still(node)) continue;
                return node;
            } catch (const Error&) {
                continue;  // its operands do not fit: try others
            }
        }
        return std::nullopt;
    }

    Node proposal(NodeKind kind) {
        const NodeInfo& info = info_of(kind);
        Node node;
        node.kind = kind;
        const bool one_type = random_.one_in(2);
        const int operands = info.operands + (info.optional && random_.one_in(2) ? 1 : 0);
        for (int i = 0; i < operands && !visible_.empty(); ++i) {
            NodeId id = any();
            const Type first = kernel_[node.operands[0]].type;
            for (int again = 0; one_type && i > 0 && again < 30 && kernel_[id].type != first; ++again) id = any();
            node.operands[node.operand_count++] = id;
        }
        node.type = {static_cast<DType>(random_.below(kDTypeCount)), 1};
        if (random_.one_in(3)) node.type.lanes = static_cast<std::uint16_t>(1 + random_.below(kMaxLanes));
        if (random_.one_in(3)) node.type.lanes = 4;
        if (random_.one_in(3)) node.type.dtype = DType::I64;
        node.immediate = immediate(info.immediate, node.type.dtype);
        return node;
    }

    NodeId any() { return visible_[random_.below(visible_.size())]; }

    std::uint64_t immediate(Immediate meaning, DType dtype) {
        switch (meaning) {
            case Immediate::None: return 0;
            case Immediate::Bits: {
                const std::uint64_t bits = random_.next();
                return canonical_bits(dtype, random_.one_in(4) ? ~(bits >> 12) : bits);  // a quarter are NaN, or close
            }
            case Immediate::Access: return 1 + random_.below(3);
            case Immediate::Count: return 1 + random_.below(1u << 20);
            case Immediate::Lane: return random_.below(4);
            case Immediate::Reduction: return random_.below(6);
        }
        return 0;
    }

    fuzz::Random random_;
    std::size_t left_;
    Kernel kernel_;
    std::vector<NodeId> visible_;
};

}  // namespace

Kernel random_kernel(std::uint64_t seed, std::size_t nodes) { return Drawing(seed, nodes).run(); }

}  // namespace burn::kernel
