#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Cumulative sum.
///
///   y[.., i, ..] = sum over j <= i of x[.., j, ..]
///
/// Shapes    x [.., n, ..] -> y [.., n, ..]
/// DTypes    Float and Int; y has x's dtype
/// Gradient  dx = flip(cumsum(flip(dy)))
/// Numerics  f16, bf16 and f32 are summed in a wider type and rounded at each element
/// Errors    DTypeError on Bool; IndexError when the axis is out of range
struct CumSum {
    std::int64_t axis = 0;

    static constexpr OpInfo info{
        .name = "cumsum", .doc = "sum of the elements so far", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Cumulative product.
///
///   y[.., i, ..] = product over j <= i of x[.., j, ..]
///
/// Shapes    x [.., n, ..] -> y [.., n, ..]
/// DTypes    Float and Int; y has x's dtype
/// Gradient  without a division, so zeros in x are no exception: dx_i = y_(i-1) s_i, with s_i = dy_i + x_(i+1) s_(i+1)
/// Numerics  f16, bf16 and f32 are multiplied in a wider type and rounded at each element
/// Errors    DTypeError on Bool; IndexError when the axis is out of range
struct CumProd {
    std::int64_t axis = 0;

    static constexpr OpInfo info{.name = "cumprod",
                                 .doc = "product of the elements so far",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .saves = Saves::input(0) | Saves::output(0)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Largest element so far, and where it was first met.
///
/// Shapes    x [.., n, ..] -> y [.., n, ..], indices [.., n, ..]
/// DTypes    Float and Int; y has x's dtype, the indices are I64
/// Gradient  dx = dy added at the indices
/// Numerics  NaN from the first NaN on, which the indices name
/// Errors    DTypeError on Bool; IndexError when the axis is out of range
struct CumMax {
    std::int64_t axis = 0;

    static constexpr OpInfo info{.name = "cummax",
                                 .doc = "largest element so far, and its index",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .outputs = 2,
                                 .saves = Saves::output(1)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Smallest element so far, and where it was first met; as cummax otherwise.
struct CumMin {
    std::int64_t axis = 0;

    static constexpr OpInfo info{.name = "cummin",
                                 .doc = "smallest element so far, and its index",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .outputs = 2,
                                 .saves = Saves::output(1)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle cumsum(Handle x, std::int64_t axis);
Handle cumprod(Handle x, std::int64_t axis);
Handle cummax(Handle x, std::int64_t axis);
Handle cummin(Handle x, std::int64_t axis);
/// Values and indices.
HandleList cummax_with_indices(Handle x, std::int64_t axis);
HandleList cummin_with_indices(Handle x, std::int64_t axis);

}  // namespace burn::ops
