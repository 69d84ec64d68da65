#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

constexpr bool is_half(DType dtype) { return dtype == DType::F16 || dtype == DType::BF16; }

/// The bits of f16 or bf16 elements as f32, bit for bit what burn/core/half.h gives.
///
/// Numerics  `quiet`: a signalling NaN of f16 may come out quiet, which is cheaper and makes no difference to arithmetic
LLVMValueRef widen_half(Ir& ir, LLVMValueRef bits, DType dtype, bool quiet);

/// f32 values rounded to the bits of f16 or bf16 elements, bit for bit what burn/core/half.h gives.
LLVMValueRef narrow_to_half(Ir& ir, LLVMValueRef value, DType dtype);

}  // namespace burn::cpu::codegen
