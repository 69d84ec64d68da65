#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// The same elements, in row-major order, under another shape.
///
/// Shapes    x of n elements -> y of n elements; in `shape`, -1 (once) is inferred, and 0 keeps the size of x's axis unless
///           x is empty and `shape` fits it as it stands
/// DTypes    any
/// Errors    ShapeError when the numbers of elements differ
struct Reshape {
    Shape shape;

    static constexpr OpInfo info{
        .name = "reshape", .doc = "the same elements under another shape", .kind = OpKind::View, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("shape", self.shape); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// The axes in another order.
///
///   y's axis i is x's axis axes[i]
///
/// DTypes    any
/// Errors    IndexError unless `axes` names every axis once
struct Permute {
    Dims axes;

    static constexpr OpInfo info{
        .name = "permute", .doc = "the axes in another order", .kind = OpKind::View, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axes", self.axes); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Repeats size-1 axes without a copy; may add leading axes.
///
/// Shapes    x [.., 1, ..] -> y [.., n, ..]; in `shape`, -1 keeps x's size
/// DTypes    any
/// Gradient  dx = dy summed over the repeated axes
/// Errors    ShapeError when an axis that is not 1 changes
struct Expand {
    Shape shape;

    static constexpr OpInfo info{.name = "expand", .doc = "size-1 axes repeated", .kind = OpKind::View, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("shape", self.shape); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle reshape(Handle x, Shape shape);
Handle permute(Handle x, Dims axes);
Handle expand(Handle x, Shape shape);
/// Exchanges two axes.
Handle swap_dims(Handle x, std::int64_t axis_a, std::int64_t axis_b);
/// Moves the axes `from` to the places `to`; the others keep their order.
///
/// Errors    IndexError when an axis is out of range or named twice, or the lists differ in length
Handle movedim(Handle x, const Dims& from, const Dims& to);

/// Joins the axes `first` to `last` into one.
///
/// Errors    IndexError when they are out of range or in the wrong order
Handle flatten(Handle x, std::int64_t first, std::int64_t last);
/// Drops every axis of size 1; a tensor of one element keeps one axis.
Handle squeeze(Handle x);
/// Drops these axes.
///
/// Errors    ShapeError when one of them is not of size 1
Handle squeeze_dims(Handle x, Dims axes);
/// Adds axes of size 1, so that they stand at the places `axes` of the result. A place named twice gets two, side by side.
///
/// Errors    IndexError when a place is outside the result
Handle unsqueeze_dims(Handle x, const Dims& axes);
Handle unsqueeze_dim(Handle x, std::int64_t axis);
/// Adds leading axes of size 1 until there are `rank`.
///
/// Errors    ShapeError when x has more
Handle unsqueeze_to(Handle x, std::size_t rank);

}  // namespace burn::ops
