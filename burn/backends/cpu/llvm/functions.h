#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// Calls the C library's function for a node of one or two Float operands (f32 or f64), lane by lane.
LLVMValueRef emit_library_call(Ir& ir, kernel::NodeKind kind, std::span<const LLVMValueRef> operands);

}  // namespace burn::cpu::codegen
