#pragma once

#include "toy_tensor.h"

#include <burn/ops/all_ops.h>

/// What the toy backend runs. Everything else is decomposed into these, or is an UnsupportedError.
namespace toy {

using burn::ops::OpCode;
using burn::ops::PointwiseOp;

Handle run(const PointwiseOp<OpCode::add>& op, Args& args);
Handle run(const PointwiseOp<OpCode::sub>& op, Args& args);
Handle run(const PointwiseOp<OpCode::mul>& op, Args& args);
Handle run(const PointwiseOp<OpCode::div>& op, Args& args);
Handle run(const PointwiseOp<OpCode::neg>& op, Args& args);
Handle run(const PointwiseOp<OpCode::exp>& op, Args& args);
Handle run(const PointwiseOp<OpCode::log>& op, Args& args);
Handle run(const PointwiseOp<OpCode::sqrt>& op, Args& args);
Handle run(const PointwiseOp<OpCode::add_scalar>& op, Args& args);
Handle run(const PointwiseOp<OpCode::mul_scalar>& op, Args& args);
Handle run(const PointwiseOp<OpCode::div_scalar>& op, Args& args);
Handle run(const PointwiseOp<OpCode::clamp_min>& op, Args& args);
Handle run(const PointwiseOp<OpCode::greater_scalar>& op, Args& args);
Handle run(const PointwiseOp<OpCode::bool_not>& op, Args& args);
Handle run(const PointwiseOp<OpCode::mask_fill>& op, Args& args);
Handle run(const burn::ops::Full& op, Args& args);
Handle run(const burn::ops::Reshape& op, Args& args);
Handle run(const burn::ops::Permute& op, Args& args);
Handle run(const burn::ops::Expand& op, Args& args);
Handle run(const burn::ops::Sum& op, Args& args);
Handle run(const burn::ops::Max& op, Args& args);
Handle run(const burn::ops::MatMul& op, Args& args);
Handle run(const burn::ops::Gather& op, Args& args);
Handle run(const burn::ops::Scatter& op, Args& args);
Handle run(const burn::ops::Random& op, Args& args);

}  // namespace toy
