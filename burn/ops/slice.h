#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Part of a tensor: on each axis a range, walked in steps that may be negative.
///
///   y[i, j, ..] = x[start_0 + i step_0, start_1 + j step_1, ..]
///
/// Shapes    x [n, ..] -> y [number of steps in the range, ..]; axes after the last range are taken whole
/// DTypes    any
/// Gradient  dx = dy in the region of a tensor of zeros
/// Memory    a view
/// Errors    IndexError when there are more ranges than axes; ArgumentError for a step of 0
/// Source    NumPy basic slicing, but a negative step walks the range itself backwards
struct StridedSlice {
    SliceList slices;  ///< canonical: one an axis, bounds from the start, no step beyond what the range holds

    static constexpr OpInfo info{
        .name = "slice", .doc = "a range of each axis, in steps", .kind = OpKind::View, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.runtime("slices", self.slices); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// A copy of x whose region, chosen as by slice, has new values.
///
/// Shapes    x [..], values of the region's shape -> y like x
/// DTypes    any, one for both
/// Gradient  dx = dy with zeros in the region, dvalues = dy's region
/// Memory    in place when x is given away
/// Errors    ShapeError when `values` has another shape than the region; otherwise those of slice
struct SliceAssign {
    SliceList slices;

    static constexpr OpInfo info{
        .name = "slice_assign", .doc = "new values in a range of each axis", .kind = OpKind::Move, .inputs = 2};
    static void fields(auto& self, FieldVisitor& visit) { visit.runtime("slices", self.slices); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Every window of an axis, side by side.
///
///   y[.., w, .., k] = x[.., w step + k, ..]
///
/// Shapes    x [.., n, ..] -> y [.., floor((n - size) / step) + 1, .., size]; no window when n < size
/// DTypes    any
/// Gradient  dx adds up over the windows that hold an element
/// Memory    a view
/// Errors    IndexError when the axis is out of range; ArgumentError unless size and step are positive
/// Source    torch.Tensor.unfold
struct Unfold {
    std::int64_t axis = 0;
    std::int64_t size = 1;
    std::int64_t step = 1;

    static constexpr OpInfo info{
        .name = "unfold", .doc = "the windows of an axis, along a new last axis", .kind = OpKind::View, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("axis", self.axis);
        visit.structural("size", self.size);
        visit.structural("step", self.step);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Ranges of the leading axes; the others are taken whole.
Handle slice(Handle x, SliceList slices);
/// A range of one axis.
Handle slice_dim(Handle x, std::int64_t axis, Slice range);
/// `length` elements of an axis from `start` on, which must exist.
///
/// Errors    IndexError when they do not
Handle narrow(Handle x, std::int64_t axis, std::int64_t start, std::int64_t length);
/// One element of an axis, which goes away; negative indices count from the end.
///
/// Errors    IndexError when axis or index are out of range; ShapeError when x has one axis only
Handle select_dim(Handle x, std::int64_t axis, std::int64_t index);
Handle slice_assign(Handle x, SliceList slices, Handle values);
/// One value in a region.
Handle slice_fill(Handle x, SliceList slices, Scalar value);
/// The axes walked backwards.
Handle flip(Handle x, Dims axes);
Handle unfold(Handle x, std::int64_t axis, std::int64_t size, std::int64_t step);

}  // namespace burn::ops
