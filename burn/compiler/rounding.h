#pragma once

#include <burn/compiler/phases.h>
#include <burn/kernel/value.h>

#include <vector>

namespace burn::compiler {

/// Where a kernel rounds numbers of half types, which it computes in f32.
///
/// A chain of operations keeps the digits of f32; a value is rounded wherever a program can see it as one of its type: where it
/// is stored, also for those who read it in the same kernel; where what is stored hands on its elements or their negatives, so
/// that x - max(x) is never above 0; as a constant; and as an operand of what tells neighbouring numbers apart. Numbers of other
/// types stay what they are.
class Rounding {
public:
    Rounding(const Segment& segment, const Group& group, const Phases& phases);

    /// The number that the value's type holds.
    kernel::Value rounded(ValueId value, const kernel::Value& number) const;
    /// A value as those take it who use it after it was made.
    kernel::Value made(ValueId value, const kernel::Value& number) const;
    /// Operand number `which` as this operation takes it.
    kernel::Value operand(const SegmentOp& reader, std::size_t which, const kernel::Value& number) const;

private:
    /// Whether the value's numbers have the digits of its type anyway.
    bool is_exact(ValueId value) const;

    const Segment& segment_;
    const Phases& phases_;
    std::vector<bool> visible_;  ///< by value: whether a program can see it as one of its type
};

}  // namespace burn::compiler
