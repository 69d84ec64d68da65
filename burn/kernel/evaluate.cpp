#include <burn/kernel/evaluate.h>

#include <burn/base/error.h>
#include <burn/core/convert.h>
#include <burn/kernel/element.h>
#include <burn/ops/num.h>
#include <burn/ops/pointwise_parts.h>

#include <algorithm>

namespace burn::kernel {

namespace {

using ops::Num;

template <class T>
constexpr bool kHalf = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

/// The type in which arithmetic on elements of type T is done.
template <class T>
using Computed = std::conditional_t<kHalf<T>, float, T>;

template <class T>
Num<Computed<T>> number_of(std::uint64_t bits) {
    return static_cast<Computed<T>>(element_of<T>(bits));
}
template <class T>
std::uint64_t rounded_bits(Num<Computed<T>> number) {
    return bits_of(static_cast<T>(number.value));
}

[[noreturn]] void no_such_node() { raise(ErrorKind::Internal, Message() << "kernel: a node without a meaning"); }

/// What is left of a / b truncated.
template <class T>
Num<T> truncated_remainder(Num<T> a, Num<T> b) {
    if constexpr (std::is_floating_point_v<T>) {
        return fmod(a, b);
    } else {
        if (b.value == 0 || (std::is_signed_v<T> && b.value == static_cast<T>(-1))) return T(0);
        return static_cast<T>(a.value % b.value);
    }
}

template <class T>
Num<T> float_function(NodeKind kind, Num<T> a, Num<T> b, Num<T> c) {
    switch (kind) {
        case NodeKind::Fma:
            return std::is_same_v<T, float> ? static_cast<T>(__builtin_fmaf(a.value, b.value, c.value))
                                            : static_cast<T>(__builtin_fma(a.value, b.value, c.value));
        case NodeKind::Sqrt: return sqrt(a);
        case NodeKind::Floor: return floor(a);
        case NodeKind::Ceil: return ceil(a);
        case NodeKind::Trunc: return trunc(a);
        case NodeKind::Round: return round(a);
        case NodeKind::Exp: return exp(a);
        case NodeKind::Expm1: return expm1(a);
        case NodeKind::Log: return log(a);
        case NodeKind::Log1p: return log1p(a);
        case NodeKind::Sin: return sin(a);
        case NodeKind::Cos: return cos(a);
        case NodeKind::Tan: return tan(a);
        case NodeKind::Asin: return asin(a);
        case NodeKind::Acos: return acos(a);
        case NodeKind::Atan: return atan(a);
        case NodeKind::Sinh: return sinh(a);
        case NodeKind::Cosh: return cosh(a);
        case NodeKind::Tanh: return tanh(a);
        case NodeKind::Asinh: return asinh(a);
        case NodeKind::Acosh: return acosh(a);
        case NodeKind::Atanh: return atanh(a);
        case NodeKind::Erf: return erf(a);
        case NodeKind::NormalCdf: return ops::normal_cdf(a);
        case NodeKind::Pow: return powf(a, b);
        case NodeKind::Atan2: return atan2(a, b);
        case NodeKind::Hypot: return hypot(a, b);
        default: no_such_node();
    }
}

template <class T>
Num<T> arithmetic(NodeKind kind, Num<T> a, Num<T> b, Num<T> c) {
    switch (kind) {
        case NodeKind::Add: return a + b;
        case NodeKind::Sub: return a - b;
        case NodeKind::Mul: return a * b;
        case NodeKind::Div: return a / b;
        case NodeKind::Rem: return truncated_remainder(a, b);
        case NodeKind::Min: return min_pair(a, b);
        case NodeKind::Max: return max_pair(a, b);
        case NodeKind::Neg: return -a;
        case NodeKind::Abs: return abs(a);
        default: break;
    }
    if constexpr (std::is_floating_point_v<T>) {
        return float_function(kind, a, b, c);
    } else {
        no_such_node();
    }
}

template <class T>
Num<T> bit_function(NodeKind kind, Num<T> a, Num<T> b) {
    constexpr bool truth = std::is_same_v<T, bool>;
    switch (kind) {
        case NodeKind::And: return bitwise_and(a, b);
        case NodeKind::Or: return bitwise_or(a, b);
        case NodeKind::Xor: return bitwise_xor(a, b);
        case NodeKind::Not:
            if constexpr (truth) return bool_not(a);
            if constexpr (!truth) return bitwise_not(a);
            break;
        case NodeKind::Shl:
            if constexpr (!truth) return bitwise_left_shift(a, b);
            break;
        case NodeKind::Shr:
            if constexpr (!truth) return bitwise_right_shift(a, b);
            break;
        default: break;
    }
    no_such_node();
}

bool is_bit_function(NodeKind kind) { return kind >= NodeKind::And && kind <= NodeKind::Shr; }
bool is_comparison(NodeKind kind) { return kind >= NodeKind::Eq && kind <= NodeKind::Ge; }

template <class T>
bool comparison(NodeKind kind, Num<T> a, Num<T> b) {
    switch (kind) {
        case NodeKind::Eq: return equal(a, b).value;
        case NodeKind::Ne: return not_equal(a, b).value;
        case NodeKind::Lt: return lower(a, b).value;
        case NodeKind::Le: return lower_equal(a, b).value;
        case NodeKind::Gt: return greater(a, b).value;
        case NodeKind::Ge: return greater_equal(a, b).value;
        default: no_such_node();
    }
}

/// One lane of a node whose result has the operands' type T, or is a truth value.
template <class T>
std::uint64_t lane(NodeKind kind, const std::uint64_t (&x)[3]) {
    if (is_bit_function(kind)) {
        if constexpr (std::is_integral_v<T>)
            return bits_of(bit_function<T>(kind, element_of<T>(x[0]), element_of<T>(x[1])).value);
    } else {
        const auto a = number_of<T>(x[0]), b = number_of<T>(x[1]), c = number_of<T>(x[2]);
        if (is_comparison(kind)) return comparison(kind, a, b) ? 1 : 0;
        if constexpr (!std::is_same_v<T, bool>) return rounded_bits<T>(arithmetic(kind, a, b, c));
    }
    no_such_node();
}

std::uint64_t cast_bits(DType to, DType from, std::uint64_t bits) {
    return visit_dtype(from, [&](auto source) {
        return visit_dtype(to, [&](auto target) {
            return bits_of(convert_element<decltype(target)>(element_of<decltype(source)>(bits)));
        });
    });
}

void check_amount(const Kernel& kernel, NodeId id, std::uint64_t amount) {
    const Node& node = kernel[id];
    const std::size_t width = size_of(node.type.dtype) * 8;
    if (amount >= width) {
        raise(ErrorKind::Argument, Message() << "kernel " << kernel.name.c_str() << ": %" << id << ": "
                                             << info_of(node.kind).text << ": amount "
                                             << static_cast<std::int64_t>(amount) << "; expected 0 to " << width - 1);
    }
}

}  // namespace

void evaluate(const Kernel& kernel, NodeId id, std::span<const std::uint64_t* const> operands, std::uint64_t* result) {
    const Node& node = kernel[id];
    const DType dtype = node.operand_count > 0 ? kernel[node.operands[0]].type.dtype : node.type.dtype;
    const std::size_t lanes = node.type.lanes;
    switch (node.kind) {
        case NodeKind::Constant: return static_cast<void>(std::fill_n(result, lanes, node.immediate));
        case NodeKind::Iota:
            for (std::size_t i = 0; i < lanes; ++i) {
                result[i] = cast_bits(dtype, kIndex, i);
            }
            return;
        case NodeKind::Select:
            for (std::size_t i = 0; i < lanes; ++i) result[i] = operands[operands[0][i] != 0 ? 1 : 2][i];
            return;
        case NodeKind::Cast:
            for (std::size_t i = 0; i < lanes; ++i) result[i] = cast_bits(node.type.dtype, dtype, operands[0][i]);
            return;
        case NodeKind::Bitcast:
            for (std::size_t i = 0; i < lanes; ++i) result[i] = canonical_bits(node.type.dtype, operands[0][i]);
            return;
        case NodeKind::Splat: return static_cast<void>(std::fill_n(result, lanes, operands[0][0]));
        case NodeKind::Extract: *result = operands[0][node.immediate]; return;
        case NodeKind::Interleave:
            for (std::size_t i = 0; i < lanes; ++i) result[i] = operands[i % 2][i / 2];
            return;
        case NodeKind::ReduceLanes: {
            std::uint64_t values[kMaxLanes];
            const std::size_t count = kernel[node.operands[0]].type.lanes;
            std::copy_n(operands[0], count, values);
            *result = fold_bits(dtype, static_cast<Reduction>(node.immediate), values, count);
            return;
        }
        default: break;
    }
    const bool is_shift = node.kind == NodeKind::Shl || node.kind == NodeKind::Shr;
    visit_dtype(dtype, [&](auto zero) {
        for (std::size_t i = 0; i < lanes; ++i) {
            std::uint64_t x[3] = {};
            for (std::size_t k = 0; k < operands.size() && k < 3; ++k) x[k] = operands[k][i];
            if (is_shift) check_amount(kernel, id, x[1]);
            result[i] = lane<decltype(zero)>(node.kind, x);
        }
    });
}

std::uint64_t combine_bits(DType dtype, Reduction reduction, std::uint64_t a, std::uint64_t b) {
    static constexpr NodeKind kKinds[] = {NodeKind::Add, NodeKind::Mul, NodeKind::Min,
                                          NodeKind::Max, NodeKind::And, NodeKind::Or};
    const NodeKind kind = kKinds[static_cast<std::size_t>(reduction)];
    const std::uint64_t x[3] = {a, b, 0};
    return visit_dtype(dtype, [&](auto zero) { return lane<decltype(zero)>(kind, x); });
}

std::uint64_t fold_bits(DType dtype, Reduction reduction, std::uint64_t* values, std::size_t count) {
    while (count > 1) {
        const std::size_t half = (count + 1) / 2;
        for (std::size_t i = 0; i < count - half; ++i) {
            values[i] = combine_bits(dtype, reduction, values[i], values[i + half]);
        }
        count = half;
    }
    return values[0];
}

}  // namespace burn::kernel
