#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// `type.lanes` elements of memory that starts at `base`: neighbours from an index on, or one per lane of a vector of indices.
/// Where `mask` (nullptr: everywhere) is false, 0, and no memory is touched.
LLVMValueRef emit_load(Ir& ir, kernel::Type type, LLVMValueRef base, LLVMValueRef index, LLVMValueRef mask);

void emit_store(Ir& ir, kernel::Type type, LLVMValueRef base, LLVMValueRef index, LLVMValueRef value,
                LLVMValueRef mask);

/// Asks for the cache line of an element, which need not exist.
void emit_prefetch(Ir& ir, DType dtype, LLVMValueRef base, LLVMValueRef index, kernel::Access access);

/// Combines an element with `value` in one step that no other thread sees halves of; gives what it was before.
///
/// Numerics  the order in which threads come is open, and no other memory is ordered by it
LLVMValueRef emit_atomic(Ir& ir, DType dtype, kernel::Reduction reduction, LLVMValueRef base, LLVMValueRef index,
                         LLVMValueRef value);

/// Between a value in registers and as it is in memory: they differ for Bool.
LLVMValueRef to_memory(Ir& ir, DType dtype, LLVMValueRef value);
LLVMValueRef from_memory(Ir& ir, DType dtype, LLVMValueRef value);

}  // namespace burn::cpu::codegen
