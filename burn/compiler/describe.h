#pragma once

#include <burn/base/profile.h>
#include <burn/compiler/horizontal.h>

namespace burn::compiler {

/// A step of a plan in words: what was fused, or which operation runs alone.
///
/// Example   fused [37, 53]: add_scalar mul_scalar sub neg; 1 in, 1 out
Message describe(const PlanStep& step, const Segment& segment);

/// What the kernel of a group has to do: its inputs read and its outputs written, and the arithmetic of its operations.
profile::Cost cost_of(const Group& group, const Segment& segment);

}  // namespace burn::compiler
