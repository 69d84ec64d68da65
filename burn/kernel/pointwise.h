#pragma once

#include <burn/kernel/value.h>
#include <burn/ops/pointwise.h>

#include <span>

namespace burn::kernel {

/// What a line of the pointwise table (burn/ops/pointwise.def) computes, written into a kernel.
///
/// `operands` as many as the line has; `s` and `t` are its scalars, numbers or values of the operands' type.
Value emit_pointwise(ops::OpCode code, std::span<const Value> operands, const Value& s, const Value& t);

}  // namespace burn::kernel
