#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// The attribute of every reduction over axes. The axes stay with size 1.
struct ReducedAxes {
    Dims axes;

    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axes", self.axes); }
};

/// Sum over axes.
///
///   y[.., 0, ..] = sum over i of x[.., i, ..]
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], for every axis in `axes`
/// DTypes    Float and Int; y has x's dtype; integers wrap
/// Numerics  f16 and bf16 accumulate in f32; an empty sum is 0
/// Errors    DTypeError on Bool; IndexError when an axis is out of range or named twice
struct Sum : ReducedAxes {
    static constexpr OpInfo info{
        .name = "sum", .doc = "sum over axes, which stay with size 1", .kind = OpKind::Reduce, .inputs = 1};
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Mean over axes: the sum divided by the number of elements; integers truncate.
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], for every axis in `axes`
/// DTypes    Float and Int; y has x's dtype
/// Numerics  f16 and bf16 accumulate in f32, integers in 64 bits; the mean of nothing is NaN, for integers 0
/// Errors    as sum
struct Mean : ReducedAxes {
    static constexpr OpInfo info{
        .name = "mean", .doc = "mean over axes, which stay with size 1", .kind = OpKind::Composite, .inputs = 1};
    /// How many elements of an operand of this shape make one of the result; the axes are those after `infer`.
    double divisor(const Shape& x) const;
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Product over axes.
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], for every axis in `axes`
/// DTypes    Float and Int; y has x's dtype; integers wrap
/// Gradient  dx = dy * (product of the other elements): right where elements are 0
/// Numerics  f16 and bf16 accumulate in f32; an empty product is 1
/// Errors    as sum
struct Prod : ReducedAxes {
    static constexpr OpInfo info{.name = "prod",
                                 .doc = "product over axes, which stay with size 1",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .saves = Saves::input(0)};
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// For every element the product of the others along `axes`: the gradient of `Prod`.
///
///   y[.., i, ..] = product over j != i of x[.., j, ..]
///
/// DTypes    Float
/// Numerics  nothing is divided, so zeros are exact; f16 and bf16 compute in f32
struct ProdOfOthers : ReducedAxes {
    static constexpr OpInfo info{.name = "prod_of_others",
                                 .doc = "for every element the product of the others along the axes",
                                 .kind = OpKind::Composite,
                                 .inputs = 1};
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Largest value over axes.
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], for every axis in `axes`
/// DTypes    Float and Int
/// Gradient  to the first of equal extrema
/// Numerics  NaN if any element is NaN
/// Errors    ShapeError when nothing is reduced to something; else as sum
struct Max : ReducedAxes {
    static constexpr OpInfo info{.name = "max",
                                 .doc = "largest value over axes; NaN if any is NaN",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .saves = Saves::input(0)};
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Smallest value over axes; see Max.
struct Min : ReducedAxes {
    static constexpr OpInfo info{.name = "min",
                                 .doc = "smallest value over axes; NaN if any is NaN",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .saves = Saves::input(0)};
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Where along an axis the largest value is.
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], I64
/// DTypes    Float and Int
/// Numerics  the first NaN, else the first of equal extrema
/// Errors    ShapeError on an empty axis; DTypeError on Bool; IndexError when the axis is out of range
struct ArgMax {
    std::int64_t axis = 0;

    static constexpr OpInfo info{
        .name = "argmax", .doc = "index of the largest value along an axis", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
};

/// Where along an axis the smallest value is; see ArgMax.
struct ArgMin {
    std::int64_t axis = 0;

    static constexpr OpInfo info{
        .name = "argmin", .doc = "index of the smallest value along an axis", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
};

/// Whether any element over axes is true; none of nothing.
///
/// DTypes    Bool
struct Any : ReducedAxes {
    static constexpr OpInfo info{
        .name = "any", .doc = "whether any element over axes is true", .kind = OpKind::Reduce, .inputs = 1};
    SpecList infer(std::span<const TensorSpec> inputs);
};

/// Whether all elements over axes are true; all of nothing are.
///
/// DTypes    Bool
struct All : ReducedAxes {
    static constexpr OpInfo info{
        .name = "all", .doc = "whether all elements over axes are true", .kind = OpKind::Reduce, .inputs = 1};
    SpecList infer(std::span<const TensorSpec> inputs);
};

/// Variance over axes.
///
///   y = sum of (x - mean)^2 / max(0, n - correction)
///
/// Shapes    x [.., n, ..] -> y [.., 1, ..], for every axis in `axes`
/// DTypes    Float
/// Numerics  deviations are taken from the mean, never squares subtracted; f16 and bf16 compute in f32. Without degrees of
///           freedom (n at most the correction) the divisor is 0: NaN when all deviations are 0, as those of one or no
///           element are, else infinity
/// Errors    as sum
struct Var {
    Dims axes;
    std::int64_t correction = 1;

    static constexpr OpInfo info{.name = "var",
                                 .doc = "variance over axes, which stay with size 1",
                                 .kind = OpKind::Composite,
                                 .inputs = 1,
                                 .saves = Saves::input(0)};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("axes", self.axes);
        visit.structural("correction", self.correction);
    }
    /// max(0, n - correction) for an operand of this shape: the one rule of kernels, decomposition and gradient. The axes are
    /// those after `infer`.
    double divisor(const Shape& x) const;
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Reductions over axes, which stay with size 1.
Handle sum(Handle x, Dims axes);
Handle mean(Handle x, Dims axes);
Handle prod(Handle x, Dims axes);
Handle max(Handle x, Dims axes);
Handle min(Handle x, Dims axes);
Handle max_abs(Handle x, Dims axes);
Handle var(Handle x, Dims axes, std::int64_t correction);
/// Whether any, or all, elements are true; in tensors that are not Bool, not 0.
Handle any(Handle x, Dims axes);
Handle all(Handle x, Dims axes);

/// Indices of extrema along an axis, I64.
Handle argmax(Handle x, std::int64_t axis);
Handle argmin(Handle x, std::int64_t axis);

/// A reduction of all elements, of shape [1].
Handle over_all(Handle (*reduction)(Handle x, Dims axes), Handle x);
/// The sum of all elements, of shape [1].
Handle sum_all(Handle x);
/// Sums over the axes along which `shape` was broadcast to x's shape, so that the result has `shape`.
Handle sum_to(Handle x, const Shape& shape);

}  // namespace burn::ops
