#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// The elements of `value` in another type, by the rules of burn/core/convert.h.
LLVMValueRef emit_cast(Ir& ir, LLVMValueRef value, DType from, DType to);

}  // namespace burn::cpu::codegen
