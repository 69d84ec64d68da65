#pragma once

#include <burn/base/profile.h>
#include <burn/ops/any_op.h>

#include <span>

namespace burn::ops {

/// What an operation has to do at least: each operand read and each result written once, and its arithmetic.
///
/// A view moves nothing. Products and convolutions count 2 operations for each product and sum, attention those of its
/// products; pointwise operations and what they are made into count 1 for each element of the result, other operations 1 for
/// each element of the largest operand or result. What only moves elements counts none, and of operations from outside the
/// library nothing is known but the bytes.
profile::Cost cost_of(const AnyOp& op, std::span<const TensorSpec> inputs, std::span<const TensorSpec> results);

/// Measures the operation until the end of the span, under its name and the shapes of its operands, or of its results where it
/// has none; called where `profile::on()`.
void begin(profile::Span& span, profile::Kind kind, const AnyOp& op, const HandleList& inputs, const SpecList& results);

}  // namespace burn::ops
