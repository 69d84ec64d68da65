#include <burn/backends/cpu/llvm/lanes.h>

namespace burn::cpu::codegen {

namespace {

LLVMValueRef every_lane(const Ir& ir) { return LLVMConstAllOnes(ir.integer(kLanes)); }

/// 16 constants.
LLVMValueRef a_register(const Ir& ir, const double* numbers) {
    LLVMValueRef lanes[kLanes];
    for (unsigned i = 0; i < kLanes; ++i) lanes[i] = LLVMConstReal(ir.f32(), numbers[i]);
    return LLVMConstVector(lanes, kLanes);
}

/// Rounding as the processor is set to do.
LLVMValueRef current_rounding(const Ir& ir) { return ir.constant(ir.integer(32), 4); }

}  // namespace

Lanes operator+(const Lanes& a, const Lanes& b) { return a.with(LLVMBuildFAdd(a.ir->builder(), a.value, b.value, "")); }
Lanes operator-(const Lanes& a, const Lanes& b) { return a.with(LLVMBuildFSub(a.ir->builder(), a.value, b.value, "")); }
Lanes operator*(const Lanes& a, const Lanes& b) { return a.with(LLVMBuildFMul(a.ir->builder(), a.value, b.value, "")); }

Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
    return a.with(a.ir->intrinsic("llvm.fma", {LLVMTypeOf(a.value)}, {a.value, b.value, c.value}));
}

Lanes abs(const Lanes& a) { return a.with(a.ir->intrinsic("llvm.fabs", {LLVMTypeOf(a.value)}, {a.value})); }

Lanes min(const Lanes& a, double bound) {
    const LLVMValueRef limit = a.number(bound).value;
    return a.with(a.ir->select(a.ir->compare(LLVMRealOLT, limit, a.value), limit, a.value));
}

Lanes max(const Lanes& a, const Lanes& b) {
    return a.with(a.ir->select(a.ir->compare(LLVMRealOGT, a.value, b.value), a.value, b.value));
}

Lanes with_sign(const Lanes& magnitude, const Lanes& sign) {
    LLVMBuilderRef builder = magnitude.ir->builder();
    const LLVMValueRef bits = sign.bits();
    const LLVMValueRef top = LLVMBuildAnd(builder, bits, sign.ir->constant(LLVMTypeOf(bits), 0x80000000u), "");
    return magnitude.of_bits(LLVMBuildOr(builder, magnitude.bits(), top, ""));
}

Lanes look_up(const Table& table, const Lanes& index) {
    return index.with(
        index.ir->intrinsic("llvm.x86.avx512.permvar.sf.512", {}, {a_register(*index.ir, table.data()), index.bits()}));
}

Lanes look_up(const LongTable& table, const Lanes& index) {
    const Ir& ir = *index.ir;
    const LLVMValueRef first = a_register(ir, table.data()), second = a_register(ir, table.data() + kLanes);
    return index.with(ir.intrinsic("llvm.x86.avx512.vpermi2var.ps.512", {}, {first, index.bits(), second}));
}

Lanes scaled(const Lanes& a, const Lanes& n) {
    const Ir& ir = *a.ir;
    return a.with(ir.intrinsic("llvm.x86.avx512.mask.scalef.ps.512", {},
                               {a.value, n.value, ir.zero(LLVMTypeOf(a.value)), every_lane(ir), current_rounding(ir)}));
}

Lanes within(const Lanes& a, double bound) {
    const Ir& ir = *a.ir;
    const LLVMValueRef smaller_magnitude = ir.constant(ir.integer(32), 2);
    return a.with(ir.intrinsic("llvm.x86.avx512.mask.range.ps.512", {},
                               {a.value, a.number(bound).value, smaller_magnitude, ir.zero(LLVMTypeOf(a.value)),
                                every_lane(ir), current_rounding(ir)}));
}

Lanes exponent(const Lanes& a) {
    const Ir& ir = *a.ir;
    return a.with(ir.intrinsic("llvm.x86.avx512.mask.getexp.ps.512", {},
                               {a.value, ir.zero(LLVMTypeOf(a.value)), every_lane(ir), current_rounding(ir)}));
}

Lanes positive_fraction(const Lanes& a) {
    const Ir& ir = *a.ir;
    const LLVMValueRef three_quarters_and_no_sign = ir.constant(ir.integer(32), 3 + 8);
    return a.with(ir.intrinsic(
        "llvm.x86.avx512.mask.getmant.ps.512", {},
        {a.value, three_quarters_and_no_sign, ir.zero(LLVMTypeOf(a.value)), every_lane(ir), current_rounding(ir)}));
}

}  // namespace burn::cpu::codegen
