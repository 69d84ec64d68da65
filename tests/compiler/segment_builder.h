#pragma once

#include <burn/compiler/segment.h>
#include <burn/ops/pointwise.h>

#include <vector>

namespace burn::compiler {

/// Writes segments in tests.
class SegmentBuilder {
public:
    ValueId input(Shape shape, DType dtype = DType::F32) {
        segment_.values.push_back({{shape, dtype}, true, true, Layout::contiguous(shape)});
        return last();
    }
    /// Appends an operation; its (first) result.
    ValueId apply(ops::AnyOp op, std::initializer_list<ValueId> inputs) {
        SpecList specs;
        for (const ValueId input : inputs) specs.push_back(segment_.values[input].spec);
        const SpecList results = op.infer({specs.data(), specs.size()});
        SegmentOp entry{op, {}, {}};
        for (const ValueId input : inputs) entry.inputs.push_back(input);
        for (const TensorSpec& result : results) {
            entry.outputs.push_back(static_cast<ValueId>(segment_.values.size()));
            segment_.values.push_back({result, false, false, {}});
        }
        const ValueId first = entry.outputs[0];
        segment_.ops.push_back(std::move(entry));
        return first;
    }
    /// Somebody holds this value when the segment ends.
    void hold(ValueId value) { segment_.values[value].live = true; }

    const Segment& segment() const { return segment_; }

private:
    ValueId last() const { return static_cast<ValueId>(segment_.values.size() - 1); }

    Segment segment_;
};

inline ops::AnyOp exp() { return ops::PointwiseOp<ops::OpCode::exp>{}; }
inline ops::AnyOp add() { return ops::PointwiseOp<ops::OpCode::add>{}; }

/// What a device that takes prologues and epilogues takes them of.
inline bool takes_groups(const ops::AnyOp& op) {
    return op.code() == ops::OpCode::MatMul || op.code() == ops::OpCode::Conv;
}

}  // namespace burn::compiler
