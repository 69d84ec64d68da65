#pragma once

#include <burn/core/scalar.h>
#include <burn/kernel/type.h>

#include <array>
#include <cstdint>

namespace burn::kernel {

/// Which node; the table is node.def.
enum class NodeKind : std::uint8_t {
#define NODE(ENUMERATOR, ...) ENUMERATOR,
#include <burn/kernel/node.def>
#undef NODE
};

constexpr std::size_t kNodeKinds = 0
#define NODE(...) +1
#include <burn/kernel/node.def>
#undef NODE
    ;

enum class NodeClass : std::uint8_t { Parameter, Leaf, Pure, Memory, Sync, Control };

/// What a node's immediate means.
enum class Immediate : std::uint8_t {
    None,
    Bits,       ///< the element's bits, as `element_bits` gives them
    Access,     ///< enum Access
    Count,      ///< number of elements
    Lane,       ///< which lane
    Reduction,  ///< enum Reduction
};

/// What a kernel does with a buffer.
enum class Access : std::uint8_t { Read = 1, Write = 2, ReadWrite = 3 };

/// How elements are combined.
enum class Reduction : std::uint8_t { Sum, Prod, Min, Max, And, Or };

/// Added to a number of operands: one more may follow.
constexpr int kOptional = 16;

/// One line of node.def.
struct NodeInfo {
    const char* text;
    int operands;
    bool optional;  ///< one operand more is allowed
    NodeClass node_class;
    Immediate immediate;
    const char* doc;
};

const NodeInfo& info_of(NodeKind kind);

/// Which blocks nodes of a kind hold.
struct BlockInfo {
    int least = 0;
    int most = 0;
    const char* second = "";  ///< the word before the second one in the text form
};

BlockInfo blocks_of(NodeKind kind);

const char* name_of(Access access);
const char* name_of(Reduction reduction);

/// Index of a node in its kernel.
using NodeId = std::uint32_t;
/// Index of a block in its kernel.
using BlockId = std::uint32_t;
constexpr BlockId kNoBlock = ~BlockId(0);

/// One operation of a kernel.
struct Node {
    NodeKind kind = NodeKind::Constant;
    std::uint8_t operand_count = 0;
    Type type;  ///< of its value; of the elements, for places in memory
    std::array<NodeId, 4> operands{};
    std::uint64_t immediate = 0;
    std::array<BlockId, 2> blocks{kNoBlock, kNoBlock};

    bool operator==(const Node&) const = default;
};

/// The bits of `number` as an element of `dtype`, in the low bytes; signed types are sign-extended.
std::uint64_t element_bits(DType dtype, Scalar number);
/// The element with these bits as a double.
double element_value(DType dtype, std::uint64_t bits);

}  // namespace burn::kernel
