#pragma once

#include <burn/ops/define_op.h>

/// Joining tensors, what is made by joining, and taking them apart again.

namespace burn::ops {

/// Tensors one after the other along an axis.
///
/// Shapes    [.., n_i, ..], equal on the other axes -> y [.., sum of n_i, ..]; n_i may be 0
/// DTypes    any, one for all
/// Gradient  each operand gets its piece of dy
/// Errors    ShapeError when the other axes differ; DTypeError when dtypes do; IndexError when the axis is out of range
struct Cat {
    std::int64_t axis = 0;

    static constexpr OpInfo info{
        .name = "cat", .doc = "tensors one after the other along an axis", .kind = OpKind::Move, .inputs = kVariadic};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle cat(HandleList tensors, std::int64_t axis);
/// Tensors of one shape side by side along a new axis.
Handle stack(HandleList tensors, std::int64_t axis);

/// The tensor `times` times, one after the other along an axis.
///
/// Errors    ArgumentError for a negative number
Handle repeat_dim(Handle x, std::int64_t axis, std::int64_t times);
/// The same on every axis.
///
/// Errors    ShapeError unless `times` has one number an axis
Handle repeat(Handle x, const Dims& times);

/// What stands in the border that `pad` adds.
enum class PadMode : std::uint8_t {
    Constant,  ///< one value
    Reflect,   ///< the elements next to the edge, mirrored: 3 2 [1 2 3] 2 1
    Edge,      ///< the element at the edge
};

/// A border around a tensor.
///
/// Shapes    x [.., n, ..] -> y [.., before + n + after, ..] for the last axes, one pair each, in the order of the axes
/// DTypes    any; `value` is for PadMode::Constant and takes the tensor's type
/// Errors    ArgumentError for a negative padding, a reflection beyond n - 1, or the edge of an empty axis;
///           ShapeError when the lists differ in length or name more axes than x has
Handle pad(Handle x, const Dims& before, const Dims& after, PadMode mode, Scalar value = 0);

/// Moves element i of an axis to (i + shift) mod n.
Handle roll_dim(Handle x, std::int64_t axis, std::int64_t shift);
/// The same on several axes; one named twice is shifted twice.
///
/// Errors    ArgumentError when the lists differ in length
Handle roll(Handle x, const Dims& shifts, const Dims& axes);

/// Pieces of `size` along an axis; the last one has what is left. An empty axis gives one empty piece.
///
/// Memory    views
/// Errors    ArgumentError unless size is positive
HandleList split(Handle x, std::int64_t size, std::int64_t axis);
/// At most `chunks` pieces of equal size, ceil(n / chunks); the last may be smaller: 7 in 3 gives 3, 3, 1.
///
/// Errors    ArgumentError unless `chunks` is positive
HandleList chunk(Handle x, std::int64_t chunks, std::int64_t axis);
/// Pieces of these sizes.
///
/// Errors    ShapeError unless they are non-negative and add up to the axis
HandleList split_with_sizes(Handle x, std::span<const std::int64_t> sizes, std::int64_t axis);

}  // namespace burn::ops
