// What compiled kernels call: the C library's functions, over the lanes of a vector in memory.
#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// Calls the C library's function for a node of one or two Float operands (f32 or f64), lane by lane.
LLVMValueRef emit_library_call(Ir& ir, kernel::NodeKind kind, std::span<const LLVMValueRef> operands);

/// `std::byte* burn_workspace(std::int64_t bytes)`: memory of the calling thread, aligned for any vector, until the next call.
constexpr const char* kWorkspaceFunction = "burn_workspace";

/// The address of a function that compiled kernels call by this name; nullptr where there is none.
const void* find_function(const char* name);

}  // namespace burn::cpu::codegen
