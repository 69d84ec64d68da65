#include <burn/kernel/node.h>

#include <burn/core/scalar.h>
#include <burn/kernel/element.h>

namespace burn::kernel {

const NodeInfo& info_of(NodeKind kind) {
    static constexpr NodeInfo kInfo[] = {
#define NODE(ENUMERATOR, TEXT, OPERANDS, CLASS, IMMEDIATE, DOC) \
    {#TEXT, (OPERANDS) % kOptional, (OPERANDS) >= kOptional, NodeClass::CLASS, Immediate::IMMEDIATE, DOC},
#include <burn/kernel/node.def>
#undef NODE
    };
    return kInfo[static_cast<std::size_t>(kind)];
}

BlockInfo blocks_of(NodeKind kind) {
    switch (kind) {
        case NodeKind::For: return {1, 1};
        case NodeKind::If: return {1, 2, "else"};
        case NodeKind::While: return {2, 2, "do"};
        default: return {};
    }
}

const char* name_of(Access access) {
    switch (access) {
        case Access::Read: return "read";
        case Access::Write: return "write";
        case Access::ReadWrite: return "readwrite";
    }
    return "";
}

const char* name_of(Reduction reduction) {
    static constexpr const char* kNames[] = {"sum", "prod", "min", "max", "and", "or"};
    return kNames[static_cast<std::size_t>(reduction)];
}

Message& operator<<(Message& message, Type type) {
    if (!type.is_value()) return message << "no value";
    message << type.dtype;
    if (type.is_vector()) message << 'x' << type.lanes;
    return message;
}

std::uint64_t element_bits(DType dtype, Scalar number) {
    return visit_dtype(dtype, [number](auto zero) {
        using T = decltype(zero);
        const T element = number.to<T>();
        return bits_of<T>(element);
    });
}

double element_value(DType dtype, std::uint64_t bits) {
    return visit_dtype(dtype, [bits](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
            return static_cast<double>(static_cast<float>(element_of<T>(bits)));
        } else {
            return static_cast<double>(element_of<T>(bits));
        }
    });
}

}  // namespace burn::kernel
