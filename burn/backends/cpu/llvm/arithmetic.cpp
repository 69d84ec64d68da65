#include <burn/backends/cpu/llvm/arithmetic.h>

#include <burn/backends/cpu/llvm/cast.h>
#include <burn/backends/cpu/llvm/functions.h>
#include <burn/backends/cpu/llvm/half.h>
#include <burn/backends/cpu/llvm/table_functions.h>
#include <burn/base/error.h>

namespace burn::cpu::codegen {

namespace {

using kernel::NodeKind;
using kernel::Reduction;

// ---- integers

/// a / b or what is left of it, for divisors that are 0 (gives 0) or -1 (wraps) too; neither must reach the instruction.
LLVMValueRef divide_whole(Ir& ir, NodeKind kind, bool is_signed, LLVMValueRef a, LLVMValueRef b) {
    const LLVMTypeRef type = LLVMTypeOf(a);
    const LLVMValueRef zero = ir.zero(type), one = ir.constant(type, 1);
    const LLVMValueRef no_divisor = ir.compare(LLVMIntEQ, b, zero);
    const bool remainder = kind == NodeKind::Rem;
    LLVMBuilderRef builder = ir.builder();
    if (!is_signed) {
        const LLVMValueRef divisor = ir.select(no_divisor, one, b);
        const LLVMValueRef result =
            remainder ? LLVMBuildURem(builder, a, divisor, "") : LLVMBuildUDiv(builder, a, divisor, "");
        return ir.select(no_divisor, zero, result);
    }
    const LLVMValueRef negates = ir.compare(LLVMIntEQ, b, LLVMConstAllOnes(type));
    const LLVMValueRef special = LLVMBuildOr(builder, no_divisor, negates, "");
    const LLVMValueRef divisor = ir.select(special, one, b);
    if (remainder) return ir.select(special, zero, LLVMBuildSRem(builder, a, divisor, ""));
    const LLVMValueRef result = LLVMBuildSDiv(builder, a, divisor, "");
    const LLVMValueRef otherwise = ir.select(negates, LLVMBuildNeg(builder, a, ""), zero);
    return ir.select(special, otherwise, result);
}

/// What `mask` asks whether it is NaN; nullptr where it asks something else.
LLVMValueRef tested_for_nan(LLVMValueRef mask) {
    if (LLVMIsAFCmpInst(mask) == nullptr || LLVMGetFCmpPredicate(mask) != LLVMRealUNE) return nullptr;
    const LLVMValueRef tested = LLVMGetOperand(mask, 0);
    return tested == LLVMGetOperand(mask, 1) ? tested : nullptr;
}

/// a or b. Whether one of two numbers is NaN takes one comparison, of the one with the other.
LLVMValueRef either(Ir& ir, LLVMValueRef a, LLVMValueRef b) {
    const LLVMValueRef first = tested_for_nan(a), second = tested_for_nan(b);
    const bool alike = first != nullptr && second != nullptr && LLVMTypeOf(first) == LLVMTypeOf(second);
    return alike ? ir.compare(LLVMRealUNO, first, second) : LLVMBuildOr(ir.builder(), a, b, "");
}

LLVMValueRef whole(Ir& ir, NodeKind kind, DType dtype, std::span<const LLVMValueRef> x) {
    const bool is_signed = is_int(dtype) && !is_unsigned(dtype);
    const LLVMTypeRef type = LLVMTypeOf(x[0]);
    LLVMBuilderRef builder = ir.builder();
    const auto compared = [&](LLVMIntPredicate with_sign, LLVMIntPredicate without) {
        return ir.compare(is_signed ? with_sign : without, x[0], x[1]);
    };
    switch (kind) {
        case NodeKind::Add: return LLVMBuildAdd(builder, x[0], x[1], "");
        case NodeKind::Sub: return LLVMBuildSub(builder, x[0], x[1], "");
        case NodeKind::Mul: return LLVMBuildMul(builder, x[0], x[1], "");
        case NodeKind::Div:
        case NodeKind::Rem: return divide_whole(ir, kind, is_signed, x[0], x[1]);
        case NodeKind::Min: return ir.intrinsic(is_signed ? "llvm.smin" : "llvm.umin", {type}, {x[0], x[1]});
        case NodeKind::Max: return ir.intrinsic(is_signed ? "llvm.smax" : "llvm.umax", {type}, {x[0], x[1]});
        case NodeKind::Neg: return LLVMBuildNeg(builder, x[0], "");
        case NodeKind::Abs: return is_signed ? ir.intrinsic("llvm.abs", {type}, {x[0], ir.zero(ir.integer(1))}) : x[0];
        case NodeKind::And: return LLVMBuildAnd(builder, x[0], x[1], "");
        case NodeKind::Or: return either(ir, x[0], x[1]);
        case NodeKind::Xor: return LLVMBuildXor(builder, x[0], x[1], "");
        case NodeKind::Not: return LLVMBuildNot(builder, x[0], "");
        case NodeKind::Shl: return LLVMBuildShl(builder, x[0], x[1], "");
        case NodeKind::Shr:
            return is_signed ? LLVMBuildAShr(builder, x[0], x[1], "") : LLVMBuildLShr(builder, x[0], x[1], "");
        case NodeKind::Eq: return ir.compare(LLVMIntEQ, x[0], x[1]);
        case NodeKind::Ne: return ir.compare(LLVMIntNE, x[0], x[1]);
        case NodeKind::Lt: return compared(LLVMIntSLT, LLVMIntULT);
        case NodeKind::Le: return compared(LLVMIntSLE, LLVMIntULE);
        case NodeKind::Gt: return compared(LLVMIntSGT, LLVMIntUGT);
        case NodeKind::Ge: return compared(LLVMIntSGE, LLVMIntUGE);
        default: break;
    }
    raise(ErrorKind::Internal, Message() << "codegen: no " << kernel::info_of(kind).text << " of " << dtype);
}

// ---- f64 and f32

/// a where `how` holds between a and b or a is NaN, else b; x86 has one instruction for the first part.
LLVMValueRef extremum(Ir& ir, LLVMRealPredicate how, LLVMValueRef a, LLVMValueRef b) {
    const LLVMValueRef chosen = ir.select(ir.compare(how, a, b), a, b);
    return ir.select(ir.compare(LLVMRealUNO, a, a), a, chosen);
}

LLVMValueRef real(Ir& ir, NodeKind kind, std::span<const LLVMValueRef> x) {
    const LLVMTypeRef type = LLVMTypeOf(x[0]);
    LLVMBuilderRef builder = ir.builder();
    switch (kind) {
        case NodeKind::Add: return LLVMBuildFAdd(builder, x[0], x[1], "");
        case NodeKind::Sub: return LLVMBuildFSub(builder, x[0], x[1], "");
        case NodeKind::Mul: return LLVMBuildFMul(builder, x[0], x[1], "");
        case NodeKind::Div: return LLVMBuildFDiv(builder, x[0], x[1], "");
        case NodeKind::Fma: return ir.intrinsic("llvm.fma", {type}, {x[0], x[1], x[2]});
        case NodeKind::Min: return extremum(ir, LLVMRealOLT, x[0], x[1]);
        case NodeKind::Max: return extremum(ir, LLVMRealOGT, x[0], x[1]);
        case NodeKind::Neg: return LLVMBuildFNeg(builder, x[0], "");
        case NodeKind::Abs: return ir.intrinsic("llvm.fabs", {type}, {x[0]});
        case NodeKind::Sqrt: return ir.intrinsic("llvm.sqrt", {type}, {x[0]});
        case NodeKind::Floor: return ir.intrinsic("llvm.floor", {type}, {x[0]});
        case NodeKind::Ceil: return ir.intrinsic("llvm.ceil", {type}, {x[0]});
        case NodeKind::Trunc: return ir.intrinsic("llvm.trunc", {type}, {x[0]});
        case NodeKind::Round: return ir.intrinsic("llvm.rint", {type}, {x[0]});
        case NodeKind::Eq: return ir.compare(LLVMRealOEQ, x[0], x[1]);
        case NodeKind::Ne: return ir.compare(LLVMRealUNE, x[0], x[1]);
        case NodeKind::Lt: return ir.compare(LLVMRealOLT, x[0], x[1]);
        case NodeKind::Le: return ir.compare(LLVMRealOLE, x[0], x[1]);
        case NodeKind::Gt: return ir.compare(LLVMRealOGT, x[0], x[1]);
        case NodeKind::Ge: return ir.compare(LLVMRealOGE, x[0], x[1]);
        default: break;
    }
    if (element_of(type) == ir.f32() && has_table_function(kind, ir.traits()))
        return emit_table_function(ir, kind, x[0]);
    return emit_library_call(ir, kind, x);
}

LLVMValueRef elementwise(Ir& ir, const kernel::Node& node, DType dtype, std::span<const LLVMValueRef> operands) {
    if (!is_float(dtype)) return whole(ir, node.kind, dtype, operands);
    if (!is_half(dtype)) return real(ir, node.kind, operands);
    LLVMValueRef wide[3] = {};
    for (std::size_t i = 0; i < operands.size(); ++i) wide[i] = widen_half(ir, operands[i], dtype, true);
    const LLVMValueRef result = real(ir, node.kind, {wide, operands.size()});
    return is_half(node.type.dtype) ? narrow_to_half(ir, result, dtype) : result;
}

// ---- lanes

/// All lanes of a mask, as one number.
LLVMValueRef reduce_mask(Ir& ir, bool all, LLVMValueRef mask) {
    const LLVMTypeRef bits = ir.integer(lanes_of(mask));
    return all ? ir.compare(LLVMIntEQ, ir.bitcast(mask, bits), LLVMConstAllOnes(bits))
               : ir.compare(LLVMIntNE, ir.bitcast(mask, bits), ir.zero(bits));
}

/// Lane i with lane i + half, until one is left; of an odd number the middle one waits.
LLVMValueRef reduce_lanes(Ir& ir, Reduction reduction, DType dtype, LLVMValueRef value) {
    if (dtype == DType::Bool && (reduction == Reduction::And || reduction == Reduction::Or))
        return reduce_mask(ir, reduction == Reduction::And, value);
    for (unsigned lanes = lanes_of(value); lanes > 1;) {
        const unsigned pairs = lanes / 2, left = lanes - pairs;
        const LLVMValueRef combined =
            emit_combine(ir, reduction, dtype, ir.lanes(value, 0, pairs), ir.lanes(value, left, pairs));
        if (pairs == left) {
            value = combined;
        } else {
            const LLVMValueRef middle = ir.lanes(value, pairs, 1);
            LLVMValueRef wider = LLVMGetPoison(ir.vector(element_of(LLVMTypeOf(value)), left));
            for (unsigned i = 0; i < pairs; ++i) {
                const LLVMValueRef element = pairs == 1 ? combined : ir.lanes(combined, i, 1);
                wider = LLVMBuildInsertElement(ir.builder(), wider, element, ir.constant(ir.integer(32), i), "");
            }
            value = LLVMBuildInsertElement(ir.builder(), wider, middle, ir.constant(ir.integer(32), pairs), "");
        }
        lanes = left;
    }
    return value;
}

/// A constant's bits in every lane.
LLVMValueRef constant(Ir& ir, kernel::Type type, std::uint64_t bits) {
    const LLVMTypeRef in_register = ir.register_type(type);
    switch (type.dtype) {
        case DType::F64: return ir.bitcast(ir.constant(ir.integer(64, type.lanes), bits), in_register);
        case DType::F32: return ir.bitcast(ir.constant(ir.integer(32, type.lanes), bits), in_register);
        case DType::Bool: return ir.constant(in_register, bits != 0 ? 1 : 0);
        default: return ir.constant(in_register, bits);
    }
}

}  // namespace

LLVMValueRef emit_pure(Ir& ir, const kernel::Node& node, kernel::Type from, std::span<const LLVMValueRef> operands) {
    switch (node.kind) {
        case NodeKind::Constant: return constant(ir, node.type, node.immediate);
        case NodeKind::Iota: {
            const LLVMTypeRef counts = ir.integer(64, node.type.lanes);
            return emit_cast(ir, ir.counting(counts), DType::I64, node.type.dtype);
        }
        case NodeKind::Select: return ir.select(operands[0], operands[1], operands[2]);
        case NodeKind::Cast: return emit_cast(ir, operands[0], from.dtype, node.type.dtype);
        case NodeKind::Bitcast: return ir.bitcast(operands[0], ir.register_type(node.type));
        case NodeKind::Splat: return ir.splat(operands[0], node.type.lanes);
        case NodeKind::Extract:
            return from.lanes == 1 ? operands[0] : ir.lanes(operands[0], static_cast<unsigned>(node.immediate), 1);
        case NodeKind::Interleave: return ir.interleaved(operands[0], operands[1]);
        case NodeKind::ReduceLanes:
            return reduce_lanes(ir, static_cast<Reduction>(node.immediate), from.dtype, operands[0]);
        default: return elementwise(ir, node, from.dtype, operands);
    }
}

LLVMValueRef emit_combine(Ir& ir, Reduction reduction, DType dtype, LLVMValueRef a, LLVMValueRef b) {
    static constexpr NodeKind kKinds[] = {NodeKind::Add, NodeKind::Mul, NodeKind::Min,
                                          NodeKind::Max, NodeKind::And, NodeKind::Or};
    kernel::Node node;
    node.kind = kKinds[static_cast<std::size_t>(reduction)];
    node.type = {dtype, static_cast<std::uint16_t>(lanes_of(a))};
    const LLVMValueRef operands[] = {a, b};
    return elementwise(ir, node, dtype, operands);
}

LLVMValueRef emit_index(Ir& ir, LLVMValueRef value, DType dtype) {
    return emit_cast(ir, value, dtype, is_unsigned(dtype) ? DType::U64 : DType::I64);
}

}  // namespace burn::cpu::codegen
