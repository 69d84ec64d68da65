#pragma once

#include <burn/core/layout.h>
#include <burn/core/tensor_spec.h>
#include <burn/ops/any_op.h>

#include <vector>

namespace burn::compiler {

/// Index of a value in its segment.
using ValueId = std::uint32_t;

/// A tensor of a segment: given from outside, or made by one of its operations.
struct SegmentValue {
    TensorSpec spec;
    bool external = false;
    /// Whether somebody outside the segment still holds it when the segment ends.
    bool live = false;
    Layout layout;  ///< of an external value
};

/// An operation of a segment; its operands come before it.
struct SegmentOp {
    ops::AnyOp op;
    SmallVector<ValueId, 4> inputs;
    SmallVector<ValueId, 2> outputs;
};

/// A stretch of a program: what fusion has recorded, as plain values.
struct Segment {
    std::vector<SegmentValue> values;
    std::vector<SegmentOp> ops;
};

}  // namespace burn::compiler
