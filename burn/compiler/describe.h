#pragma once

#include <burn/base/profile.h>
#include <burn/compiler/horizontal.h>

namespace burn::compiler {

/// A step of a plan in words: what was fused, or which operation runs alone.
///
/// Example   fused [37, 53]: add_scalar mul_scalar sub neg; 1 in, 1 out
///           fused linear + [512, 1024]: gelu; 3 in, 1 out
///           fused [512, 1024]: relu + matmul; 2 in, 1 out
Message describe(const PlanStep& step, const Segment& segment);

/// Why the step is no part of another one, as the end of its line; empty where there is nothing to say.
///
/// Example   run   sort(axis=1); fused kernels do not compute it
Message describe_apart(const PlanStep& step, const Segment& segment);

/// What the kernel of a group has to do: its inputs read and its outputs written, and the arithmetic of its operations.
profile::Cost cost_of(const Group& group, const Segment& segment);

/// What an operation, its prologue and its epilogue have to do together: the first operand is never in memory, and the epilogue
/// reads the operation's result in a cache.
profile::Cost cost_of_joined(const PlanStep& step, const Segment& segment);

}  // namespace burn::compiler
