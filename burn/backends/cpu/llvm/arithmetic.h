#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// A Pure node or one of the leaves Constant and Iota, given the values of its operands; `from` is its first operand's type.
///
/// Numerics  those of Num (burn/ops/num.h); f16 and bf16 are computed in f32 and rounded
LLVMValueRef emit_pure(Ir& ir, const kernel::Node& node, kernel::Type from, std::span<const LLVMValueRef> operands);

/// Two values of one type combined: what the nodes Add, Mul, Min, Max, And and Or compute.
LLVMValueRef emit_combine(Ir& ir, kernel::Reduction reduction, DType dtype, LLVMValueRef a, LLVMValueRef b);

/// An index of any Int type as i64.
LLVMValueRef emit_index(Ir& ir, LLVMValueRef value, DType dtype);

}  // namespace burn::cpu::codegen
