#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// Whether the target computes this function of f32 lanes from tables in registers, in fewer instructions than
/// kernel::expand needs.
bool has_table_function(kernel::NodeKind kind, const TargetTraits& traits);

/// The function of any number of f32 lanes; it has_table_function.
///
/// Numerics  for every input within 0.99 ulp for exp, 1.24 for log, 0.84 for tanh, 1.23 for erf, and 1.1 * 2^-24 for
///           normal_cdf; zeros, infinities, NaN and subnormal numbers as in C; the same bits for an element whatever lane it
///           is in
/// Needs     AVX-512 F and DQ
LLVMValueRef emit_table_function(Ir& ir, kernel::NodeKind kind, LLVMValueRef x);

}  // namespace burn::cpu::codegen
