#pragma once

#include <burn/core/scalar.h>
#include <burn/ops/handle.h>

/// Every pointwise operation as a function on handles: `add(a, b)`, `exp(a)`, `clamp(a, s, t)`, `where(mask, b, c)`, ...
/// The functions of structured operations stand next to their structs.
///
/// Errors    those of the operation's inference, at the call

namespace burn::ops {

#define BURN_FUNCTION_1_0(NAME) Handle NAME(Handle a);
#define BURN_FUNCTION_1_1(NAME) Handle NAME(Handle a, Scalar s);
#define BURN_FUNCTION_1_2(NAME) Handle NAME(Handle a, Scalar s, Scalar t);
#define BURN_FUNCTION_2_0(NAME) Handle NAME(Handle a, Handle b);
#define BURN_FUNCTION_2_1(NAME) Handle NAME(Handle a, Handle b, Scalar s);
#define BURN_FUNCTION_3_0(NAME) Handle NAME(Handle a, Handle b, Handle c);
#define POINTWISE(NAME, OPERANDS, SCALARS, ...) BURN_FUNCTION_##OPERANDS##_##SCALARS(NAME)
#include <burn/ops/pointwise.def>
#undef POINTWISE
#undef BURN_FUNCTION_1_0
#undef BURN_FUNCTION_1_1
#undef BURN_FUNCTION_1_2
#undef BURN_FUNCTION_2_0
#undef BURN_FUNCTION_2_1
#undef BURN_FUNCTION_3_0

}  // namespace burn::ops
