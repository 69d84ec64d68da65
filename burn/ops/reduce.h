#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Sum over axes.
///
///   y[.., 0, ..] = sum over i of x[.., i, ..]
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], for every axis in `axes`
/// DTypes    Float and Int; y has x's dtype
/// Numerics  f16 and bf16 accumulate in f32; an empty sum is 0
/// Errors    DTypeError on Bool; IndexError when an axis is out of range or named twice
struct Sum {
    Dims axes;

    static constexpr OpInfo info{.name = "sum", .doc = "sum over axes, which stay with size 1", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axes", self.axes); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle sum(Handle x, Dims axes);
/// The sum of all elements, of shape [1].
Handle sum_all(Handle x);
/// Sums over the axes along which `shape` was broadcast to x's shape, so that the result has `shape`.
Handle sum_to(Handle x, const Shape& shape);

}  // namespace burn::ops
