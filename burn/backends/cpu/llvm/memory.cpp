#include <burn/backends/cpu/llvm/memory.h>

#include <burn/backends/cpu/llvm/arithmetic.h>

namespace burn::cpu::codegen {

namespace {

/// Where the elements with these indices are: a pointer, or one per lane.
LLVMValueRef address(Ir& ir, DType dtype, LLVMValueRef base, LLVMValueRef index) {
    const LLVMTypeRef element = ir.memory_type({dtype, 1});
    return LLVMBuildGEP2(ir.builder(), element, base, &index, 1, "");
}

unsigned alignment(DType dtype) { return static_cast<unsigned>(size_of(dtype)); }

/// The masked intrinsics know vectors only, so an element is a vector of one lane to them.
LLVMTypeRef as_vector(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? type : LLVMVectorType(type, 1);
}

LLVMValueRef as_vector(Ir& ir, LLVMValueRef value) { return ir.bitcast(value, as_vector(LLVMTypeOf(value))); }

LLVMValueRef all_lanes(Ir& ir, unsigned lanes) { return LLVMConstAllOnes(ir.integer(1, lanes)); }

/// Arithmetic on memory that the processor does in one instruction, if it does.
bool find_instruction(DType dtype, kernel::Reduction reduction, LLVMAtomicRMWBinOp& found) {
    using kernel::Reduction;
    if (reduction == Reduction::Sum && (dtype == DType::F64 || dtype == DType::F32)) {
        found = LLVMAtomicRMWBinOpFAdd;
        return true;
    }
    if (is_float(dtype)) return false;
    switch (reduction) {
        case Reduction::Sum: found = LLVMAtomicRMWBinOpAdd; return true;
        case Reduction::Prod: return false;
        case Reduction::Min: found = is_unsigned(dtype) ? LLVMAtomicRMWBinOpUMin : LLVMAtomicRMWBinOpMin; return true;
        case Reduction::Max: found = is_unsigned(dtype) ? LLVMAtomicRMWBinOpUMax : LLVMAtomicRMWBinOpMax; return true;
        case Reduction::And: found = LLVMAtomicRMWBinOpAnd; return true;
        case Reduction::Or: found = LLVMAtomicRMWBinOpOr; return true;
    }
    return false;
}

/// Combines and tries to put it back until nobody came in between; all on the element's bits.
LLVMValueRef exchange_loop(Ir& ir, DType dtype, kernel::Reduction reduction, LLVMValueRef pointer, LLVMValueRef value) {
    LLVMBuilderRef builder = ir.builder();
    const LLVMTypeRef type = LLVMTypeOf(value), bits = ir.integer(static_cast<unsigned>(size_of(dtype)) * 8);
    const LLVMBasicBlockRef before = ir.here(), loop = ir.block("exchange"), after = ir.block("exchanged");
    const LLVMValueRef first = LLVMBuildLoad2(builder, bits, pointer, "");
    LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(first, alignment(dtype));
    LLVMBuildBr(builder, loop);
    ir.go_on_in(loop);
    const LLVMValueRef seen = LLVMBuildPhi(builder, bits, "");
    const LLVMValueRef combined = emit_combine(ir, reduction, dtype, ir.bitcast(seen, type), value);
    const LLVMValueRef exchanged = LLVMBuildAtomicCmpXchg(builder, pointer, seen, ir.bitcast(combined, bits),
                                                          LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, 0);
    const LLVMValueRef found = LLVMBuildExtractValue(builder, exchanged, 0, "");
    LLVMBuildCondBr(builder, LLVMBuildExtractValue(builder, exchanged, 1, ""), after, loop);
    LLVMValueRef values[] = {first, found};
    LLVMBasicBlockRef blocks[] = {before, loop};
    LLVMAddIncoming(seen, values, blocks, 2);
    ir.go_on_in(after);
    return ir.bitcast(seen, type);
}

}  // namespace

LLVMValueRef to_memory(Ir& ir, DType dtype, LLVMValueRef value) {
    if (dtype != DType::Bool) return value;
    return LLVMBuildZExt(ir.builder(), value, ir.integer(8, lanes_of(value)), "");
}

LLVMValueRef from_memory(Ir& ir, DType dtype, LLVMValueRef value) {
    if (dtype != DType::Bool) return value;
    return ir.compare(LLVMIntNE, value, ir.zero(LLVMTypeOf(value)));
}

LLVMValueRef emit_load(Ir& ir, kernel::Type type, LLVMValueRef base, LLVMValueRef index, LLVMValueRef mask) {
    const LLVMTypeRef in_memory = ir.memory_type(type), as_lanes = as_vector(in_memory);
    const LLVMValueRef pointer = address(ir, type.dtype, base, index);
    const LLVMValueRef align = ir.constant(ir.integer(32), alignment(type.dtype));
    LLVMValueRef loaded = nullptr;
    if (lanes_of(index) > 1) {
        const LLVMValueRef where = mask != nullptr ? mask : all_lanes(ir, type.lanes);
        loaded = ir.intrinsic("llvm.masked.gather", {in_memory, LLVMTypeOf(pointer)},
                              {pointer, align, where, ir.zero(in_memory)});
    } else if (mask != nullptr) {
        loaded = ir.intrinsic("llvm.masked.load", {as_lanes, ir.pointer()},
                              {pointer, align, as_vector(ir, mask), ir.zero(as_lanes)});
        loaded = ir.bitcast(loaded, in_memory);
    } else {
        loaded = LLVMBuildLoad2(ir.builder(), in_memory, pointer, "");
        LLVMSetAlignment(loaded, alignment(type.dtype));
    }
    return from_memory(ir, type.dtype, loaded);
}

void emit_store(Ir& ir, kernel::Type type, LLVMValueRef base, LLVMValueRef index, LLVMValueRef value,
                LLVMValueRef mask) {
    value = to_memory(ir, type.dtype, value);
    const LLVMValueRef pointer = address(ir, type.dtype, base, index);
    const LLVMValueRef align = ir.constant(ir.integer(32), alignment(type.dtype));
    if (lanes_of(index) > 1) {
        const LLVMValueRef where = mask != nullptr ? mask : all_lanes(ir, type.lanes);
        ir.intrinsic("llvm.masked.scatter", {LLVMTypeOf(value), LLVMTypeOf(pointer)}, {value, pointer, align, where});
    } else if (mask != nullptr) {
        const LLVMValueRef lanes = as_vector(ir, value);
        ir.intrinsic("llvm.masked.store", {LLVMTypeOf(lanes), ir.pointer()},
                     {lanes, pointer, align, as_vector(ir, mask)});
    } else {
        LLVMSetAlignment(LLVMBuildStore(ir.builder(), value, pointer), alignment(type.dtype));
    }
}

void emit_prefetch(Ir& ir, DType dtype, LLVMValueRef base, LLVMValueRef index, kernel::Access access) {
    constexpr std::uint64_t kNearest = 3, kData = 1;
    const std::uint64_t is_write = access == kernel::Access::Read ? 0 : 1;
    const LLVMTypeRef number = ir.integer(32);
    ir.intrinsic("llvm.prefetch", {ir.pointer()},
                 {address(ir, dtype, base, index), ir.constant(number, is_write), ir.constant(number, kNearest),
                  ir.constant(number, kData)});
}

LLVMValueRef emit_atomic(Ir& ir, DType dtype, kernel::Reduction reduction, LLVMValueRef base, LLVMValueRef index,
                         LLVMValueRef value) {
    const LLVMValueRef pointer = address(ir, dtype, base, index);
    LLVMAtomicRMWBinOp instruction{};
    if (!find_instruction(dtype, reduction, instruction)) return exchange_loop(ir, dtype, reduction, pointer, value);
    const LLVMValueRef before = LLVMBuildAtomicRMW(ir.builder(), instruction, pointer, to_memory(ir, dtype, value),
                                                   LLVMAtomicOrderingMonotonic, 0);
    LLVMSetAlignment(before, alignment(dtype));
    return from_memory(ir, dtype, before);
}

}  // namespace burn::cpu::codegen
