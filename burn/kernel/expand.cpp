#include <burn/kernel/expand.h>

#include <burn/kernel/builder.h>
#include <burn/kernel/expand_arc.h>
#include <burn/kernel/expand_erf.h>
#include <burn/kernel/expand_exp.h>
#include <burn/kernel/expand_f64.h>
#include <burn/kernel/expand_log.h>
#include <burn/kernel/expand_trig.h>
#include <burn/kernel/expand_wide.h>
#include <burn/kernel/rewrite.h>

namespace burn::kernel {

// ---- the vocabulary of the expansions, for values

Value number_like(const Value& x, double number) { return x.builder().as(number, x.type()); }

Value shift_left(const Value& a, int amount) {
    return a.builder().emit(NodeKind::Shl, {a, a.builder().as(amount, a.type())});
}

Value shift_right(const Value& a, int amount) {
    return a.builder().emit(NodeKind::Shr, {a, a.builder().as(amount, a.type())});
}

Value where_rare(const Value& mask, FunctionRef<Value()> rare, const Value& usual) {
    Builder& k = mask.builder();
    const Variable result = k.variable(usual);
    k.if_then(reduce_lanes(mask, Reduction::Or), [&] { result = where(mask, rare(), usual); });
    return result;
}

namespace {

/// The function of this kind on f64 operands, or nothing.
std::optional<Value> expanded_f64(NodeKind kind, std::span<const Value> x) {
    switch (kind) {
        case NodeKind::Exp: return expanded_exp_f64(x[0]);
        case NodeKind::Log: return expanded_log_f64(x[0]);
        default: return std::nullopt;
    }
}

/// The function of this kind on f32 operands, or nothing.
std::optional<Value> expanded_f32(NodeKind kind, std::span<const Value> x) {
    switch (kind) {
        case NodeKind::Exp: return expanded_exp(x[0]);
        case NodeKind::Expm1: return expanded_expm1(x[0]);
        case NodeKind::Log: return expanded_log(x[0]);
        case NodeKind::Log1p: return expanded_log1p(x[0]);
        case NodeKind::Sin: return expanded_sin(x[0]);
        case NodeKind::Cos: return expanded_cos(x[0]);
        case NodeKind::Tan: return expanded_tan(x[0]);
        case NodeKind::Asin: return expanded_asin(x[0]);
        case NodeKind::Acos: return expanded_acos(x[0]);
        case NodeKind::Atan: return expanded_atan(x[0]);
        case NodeKind::Sinh: return expanded_sinh(x[0]);
        case NodeKind::Cosh: return expanded_cosh(x[0]);
        case NodeKind::Tanh: return expanded_tanh(x[0]);
        case NodeKind::Asinh: return expanded_asinh(x[0]);
        case NodeKind::Acosh: return expanded_acosh(x[0]);
        case NodeKind::Atanh: return expanded_atanh(x[0]);
        case NodeKind::Erf: return expanded_erf(x[0]);
        case NodeKind::NormalCdf: return expanded_normal_cdf(x[0]);
        case NodeKind::Pow: return expanded_pow(x[0], x[1]);
        case NodeKind::Atan2: return expanded_atan2(x[0], x[1]);
        case NodeKind::Hypot: return expanded_hypot(x[0], x[1]);
        default: return std::nullopt;
    }
}

}  // namespace

bool is_expandable(NodeKind kind, DType dtype) {
    if (dtype == DType::F64) return kind == NodeKind::Exp || kind == NodeKind::Log;
    return is_float(dtype) && kind >= NodeKind::Exp && kind <= NodeKind::Hypot;
}

Kernel expand(const Kernel& kernel, const ExpandOptions& options) {
    return rewrite(kernel, [&](Builder&, const Node& node, std::span<const Value> operands) -> std::optional<Value> {
        const DType dtype = node.type.dtype;
        if (!is_expandable(node.kind, dtype)) return std::nullopt;
        if (dtype == DType::F64) return expanded_f64(node.kind, operands);
        if (options.kept[static_cast<std::size_t>(node.kind)]) return std::nullopt;
        std::vector<Value> wide;
        wide.reserve(operands.size());
        for (const Value& operand : operands) wide.push_back(cast(operand, DType::F32));
        return cast(expanded_f32(node.kind, wide).value(), dtype);
    });
}

}  // namespace burn::kernel
