#include <burn/backends/cpu/llvm/cast.h>

#include <burn/backends/cpu/llvm/half.h>

#include <bit>

namespace burn::cpu::codegen {

namespace {

bool is_whole(DType dtype) { return !is_float(dtype); }

LLVMValueRef to_bool(Ir& ir, LLVMValueRef value, DType from) {
    const LLVMValueRef zero = ir.zero(LLVMTypeOf(value));
    return is_whole(from) ? ir.compare(LLVMIntNE, value, zero) : ir.compare(LLVMRealUNE, value, zero);
}

LLVMValueRef whole_to_float(Ir& ir, LLVMValueRef value, DType from, LLVMTypeRef to) {
    const bool no_sign = is_unsigned(from) || from == DType::Bool;
    return no_sign ? LLVMBuildUIToFP(ir.builder(), value, to, "") : LLVMBuildSIToFP(ir.builder(), value, to, "");
}

LLVMValueRef truncated(Ir& ir, LLVMValueRef value, DType to) {
    // LLVM 19 mixes up the lanes of a <3 x i64> that becomes a <3 x i8> on aarch64.
    const unsigned lanes = lanes_of(value), whole = std::bit_ceil(lanes);
    if (whole != lanes) return ir.lanes(truncated(ir, ir.lanes(value, 0, whole), to), 0, lanes);
    return LLVMBuildTrunc(ir.builder(), value, ir.integer(static_cast<unsigned>(size_of(to)) * 8, lanes), "");
}

LLVMValueRef whole_to_whole(Ir& ir, LLVMValueRef value, DType from, DType to, LLVMTypeRef type) {
    if (from == DType::Bool || size_of(to) > size_of(from)) {
        const bool no_sign = is_unsigned(from) || from == DType::Bool;
        return no_sign ? LLVMBuildZExt(ir.builder(), value, type, "") : LLVMBuildSExt(ir.builder(), value, type, "");
    }
    return size_of(to) == size_of(from) ? value : truncated(ir, value, to);
}

LLVMValueRef float_to_float(Ir& ir, LLVMValueRef value, DType from, LLVMTypeRef to) {
    if (LLVMTypeOf(value) == to) return value;
    return from == DType::F64 ? LLVMBuildFPTrunc(ir.builder(), value, to, "")
                              : LLVMBuildFPExt(ir.builder(), value, to, "");
}

}  // namespace

LLVMValueRef emit_cast(Ir& ir, LLVMValueRef value, DType from, DType to) {
    if (from == to) return value;
    if (is_half(from)) return emit_cast(ir, widen_half(ir, value, from, to != DType::F32), DType::F32, to);
    if (is_half(to)) return narrow_to_half(ir, emit_cast(ir, value, from, DType::F32), to);
    const LLVMTypeRef type = ir.register_type({to, static_cast<std::uint16_t>(lanes_of(value))});
    if (to == DType::Bool) return to_bool(ir, value, from);
    if (is_float(from) && is_float(to)) return float_to_float(ir, value, from, type);
    if (is_float(to)) return whole_to_float(ir, value, from, type);
    if (is_whole(from)) return whole_to_whole(ir, value, from, to, type);
    // Saturates, and takes NaN to 0.
    return ir.intrinsic(is_unsigned(to) ? "llvm.fptoui.sat" : "llvm.fptosi.sat", {type, LLVMTypeOf(value)}, {value});
}

}  // namespace burn::cpu::codegen
