#include <burn/kernel/kernel.h>

#include <burn/base/error.h>
#include <burn/kernel/element.h>

namespace burn::kernel {

namespace {

/// The checks of one node; every fault names kernel and node.
class Checker {
public:
    Checker(const Kernel& kernel, const Node& node) : kernel_(kernel), node_(node) {}

    [[noreturn]] void fail(ErrorKind kind, const Message& what) const {
        raise(kind, Message() << "kernel " << kernel_.name.c_str() << ": " << info_of(node_.kind).text << ": "
                              << what.text());
    }

    const Node& operand(std::size_t i) const { return kernel_[node_.operands[i]]; }
    Type type(std::size_t i) const { return operand(i).type; }

    /// An operand that is a value, not a place, a variable or a statement.
    Type value(std::size_t i) const {
        const NodeKind kind = operand(i).kind;
        if (is_place(kind) || kind == NodeKind::Variable || !type(i).is_value())
            fail(ErrorKind::Argument, Message()
                                          << "operand " << i << " is a " << info_of(kind).text << "; expected a value");
        return type(i);
    }

    Type same(std::size_t first, std::size_t count) const {
        for (std::size_t i = first + 1; i < first + count; ++i) {
            if (value(i) != value(first)) {
                fail(ErrorKind::DType, Message() << "types differ: " << type(first) << " and " << type(i)
                                                 << "; cast or splat one of them");
            }
        }
        return value(first);
    }

    Type numeric(Type type) const { return require(type, is_numeric(type.dtype), "a Float or Int type"); }
    Type floating(Type type) const { return require(type, is_float(type.dtype), "a Float type"); }
    Type integral(Type type) const { return require(type, is_int(type.dtype), "an Int type"); }
    Type bits(Type type) const { return require(type, !is_float(type.dtype), "an Int or Bool type"); }
    Type boolean(Type type) const { return require(type, type.dtype == DType::Bool, "bool"); }
    Type lanes(Type type) const { return require(type, type.is_value(), "one lane or more"); }
    Type element(Type type) const { return require(type, !type.is_vector(), "one element"); }

    void place(std::size_t i, Access needed) const {
        const Node& place = operand(i);
        if (!is_place(place.kind))
            fail(ErrorKind::Argument, Message() << "operand " << i << " is a " << info_of(place.kind).text
                                                << "; expected a buffer or an array");
        const auto access = static_cast<std::uint64_t>(needed);
        if (place.kind == NodeKind::Buffer && (place.immediate & access) != access)
            fail(ErrorKind::Argument, Message() << "the buffer is " << name_of(static_cast<Access>(place.immediate))
                                                << "; expected " << name_of(needed));
    }

    /// The type that a load or store of `place` has: as many lanes as a vector index, else as asked for.
    void memory(std::size_t index, Type type, std::size_t mask) const {
        integral(value(index));
        if (value(index).is_vector() && value(index).lanes != type.lanes)
            fail(ErrorKind::Argument,
                 Message() << "the index has " << value(index).lanes << " lanes, the value " << type.lanes);
        if (type.dtype != operand(0).type.dtype)
            fail(ErrorKind::DType, Message()
                                       << "elements are " << operand(0).type.dtype << ", the value " << type.dtype);
        if (node_.operand_count > mask && boolean(value(mask)).lanes != type.lanes)
            fail(ErrorKind::Argument,
                 Message() << "the mask has " << value(mask).lanes << " lanes, the value " << type.lanes);
    }

    Type require(Type type, bool holds, const char* expected) const {
        if (!holds) fail(ErrorKind::DType, Message() << "operand is " << type << "; expected " << expected);
        return type;
    }

    static bool is_place(NodeKind kind) {
        return kind == NodeKind::Buffer || kind == NodeKind::SharedArray || kind == NodeKind::LocalArray;
    }

private:
    const Kernel& kernel_;
    const Node& node_;
};

/// What the immediate must be, but for its relation to the operands.
void check_immediate(const Checker& check, const Node& node) {
    const std::uint64_t number = node.immediate;
    const auto require = [&](bool holds, const char* expected) {
        if (!holds) check.fail(ErrorKind::Argument, Message() << "immediate " << number << "; expected " << expected);
    };
    switch (info_of(node.kind).immediate) {
        case Immediate::None: return require(number == 0, "none");
        case Immediate::Bits: return require(number == canonical_bits(node.type.dtype, number), "an element's bits");
        case Immediate::Access: return require(number >= 1 && number <= 3, "read, write or readwrite");
        case Immediate::Count: return require(number >= 1 && number <= 1u << 20, "1 to 2^20 elements");
        case Immediate::Lane: return require(number < kMaxLanes, "a lane");
        case Immediate::Reduction: return require(number <= static_cast<std::uint64_t>(Reduction::Or), "a reduction");
    }
}

void check_reduction(const Checker& check, const Node& node, Type type) {
    const auto reduction = static_cast<Reduction>(node.immediate);
    if (reduction == Reduction::And || reduction == Reduction::Or) {
        check.bits(type);
    } else {
        check.numeric(type);
    }
}

}  // namespace

Type infer_type(const Kernel& kernel, const Node& node) {
    const Checker check(kernel, node);
    const NodeInfo& info = info_of(node.kind);
    const int given = node.operand_count;
    if (given != info.operands && !(info.optional && given == info.operands + 1)) {
        check.fail(ErrorKind::Argument, Message() << given << " operands; expected " << info.operands);
    }
    for (int i = 0; i < given; ++i) {
        if (node.operands[static_cast<std::size_t>(i)] >= kernel.nodes.size())
            check.fail(ErrorKind::Argument, Message() << "operand " << i << " does not exist");
    }
    if (node.type.lanes > kMaxLanes)
        check.fail(ErrorKind::Argument, Message() << node.type.lanes << " lanes; at most " << kMaxLanes);
    check_immediate(check, node);
    switch (node.kind) {
        case NodeKind::Buffer:
        case NodeKind::Scalar:
        case NodeKind::SharedArray:
        case NodeKind::LocalArray: return node.type.with_lanes(1);
        case NodeKind::Constant: return check.lanes(node.type);
        case NodeKind::Iota: return check.numeric(check.lanes(node.type));
        case NodeKind::CubeIndex:
        case NodeKind::UnitIndex: return {kIndex, 1};
        case NodeKind::Add:
        case NodeKind::Sub:
        case NodeKind::Mul:
        case NodeKind::Div:
        case NodeKind::Rem:
        case NodeKind::Min:
        case NodeKind::Max: return check.numeric(check.same(0, 2));
        case NodeKind::Neg:
        case NodeKind::Abs: return check.numeric(check.value(0));
        case NodeKind::Fma: return check.floating(check.same(0, 3));
        case NodeKind::Pow:
        case NodeKind::Atan2:
        case NodeKind::Hypot: return check.floating(check.same(0, 2));
        case NodeKind::And:
        case NodeKind::Or:
        case NodeKind::Xor: return check.bits(check.same(0, 2));
        case NodeKind::Not: return check.bits(check.value(0));
        case NodeKind::Shl:
        case NodeKind::Shr: return check.integral(check.same(0, 2));
        case NodeKind::Eq:
        case NodeKind::Ne: return check.same(0, 2).with_dtype(DType::Bool);
        case NodeKind::Lt:
        case NodeKind::Le:
        case NodeKind::Gt:
        case NodeKind::Ge: return check.numeric(check.same(0, 2)).with_dtype(DType::Bool);
        case NodeKind::Select:
            if (check.boolean(check.value(0)).lanes != check.value(1).lanes)
                check.fail(ErrorKind::Argument, Message() << "mask and values differ in lanes");
            return check.same(1, 2);
        case NodeKind::Cast: return check.value(0).with_dtype(node.type.dtype);
        case NodeKind::Bitcast:
            if (size_of(check.value(0).dtype) != size_of(node.type.dtype))
                check.fail(ErrorKind::DType,
                           Message() << "sizes of " << check.type(0).dtype << " and " << node.type.dtype << " differ");
            check.require(check.type(0), (check.type(0).dtype == DType::Bool) == (node.type.dtype == DType::Bool),
                          "another type than bool, which has no bits, or a cast");
            return check.value(0).with_dtype(node.type.dtype);
        case NodeKind::Splat: return check.lanes(check.element(check.value(0)).with_lanes(node.type.lanes));
        case NodeKind::Extract:
            if (node.immediate >= check.value(0).lanes)
                check.fail(ErrorKind::Argument, Message() << "lane " << node.immediate << " of " << check.value(0));
            return check.value(0).with_lanes(1);
        case NodeKind::Interleave: {
            const Type half = check.same(0, 2);
            if (half.lanes > kMaxLanes / 2)
                check.fail(ErrorKind::Argument, Message() << 2 * half.lanes << " lanes; at most " << kMaxLanes);
            return half.with_lanes(static_cast<std::uint16_t>(2 * half.lanes));
        }
        case NodeKind::ReduceLanes: check_reduction(check, node, check.value(0)); return check.value(0).with_lanes(1);
        case NodeKind::Load:
            check.place(0, Access::Read);
            check.memory(1, node.type, 2);
            return check.lanes(node.type);
        case NodeKind::Store:
            check.place(0, Access::Write);
            check.memory(1, check.value(2), 3);
            return kNoValue;
        case NodeKind::Prefetch:
            check.place(0, static_cast<Access>(node.immediate));
            check.element(check.integral(check.value(1)));
            return kNoValue;
        case NodeKind::Atomic:
            check.place(0, Access::ReadWrite);
            check.memory(1, check.element(check.value(2)), 3);
            check_reduction(check, node, check.value(2));
            return check.value(2);
        case NodeKind::PlaneReduce: check_reduction(check, node, check.value(0)); return check.value(0);
        case NodeKind::PlaneShuffle: check.element(check.integral(check.value(1))); return check.value(0);
        case NodeKind::Barrier: return kNoValue;
        case NodeKind::Variable: return check.value(0);
        case NodeKind::Get:
        case NodeKind::Set:
            if (check.operand(0).kind != NodeKind::Variable)
                check.fail(ErrorKind::Argument, Message() << "operand 0 is a " << info_of(check.operand(0).kind).text
                                                          << "; expected a variable");
            if (node.kind == NodeKind::Get) return check.type(0);
            if (check.value(1) != check.type(0))
                check.fail(ErrorKind::DType,
                           Message() << "the variable is " << check.type(0) << ", the value " << check.type(1));
            return kNoValue;
        case NodeKind::For: return check.require(check.element(check.same(0, 3)), check.type(0).dtype == kIndex, "i64");
        case NodeKind::If:
        case NodeKind::ContinueIf: check.element(check.boolean(check.value(0))); return kNoValue;
        case NodeKind::While: return kNoValue;
        default: return check.floating(check.value(0));  // the functions of one Float argument
    }
}

}  // namespace burn::kernel
