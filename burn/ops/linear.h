#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Affine map of the last axis.
///
///   y[.., j] = sum over i of x[.., i] * weight[i, j] + bias[j]
///
/// Shapes    x [.., in], weight [in, out], bias [out] (may be left out) -> y [.., out]
/// DTypes    Float and Int, one for all
/// Gradient  dx = dy weight^T, dweight = x^T dy, dbias = dy summed over all axes but the last
/// Numerics  as matmul
/// Errors    ShapeError when sizes do not fit; DTypeError when dtypes differ
struct Linear {
    static constexpr OpInfo info{.name = "linear",
                                 .doc = "affine map of the last axis: x weight + bias",
                                 .kind = OpKind::Composite,
                                 .inputs = kVariadic,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto&, FieldVisitor&) {}
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

Handle linear(Handle x, Handle weight);
Handle linear(Handle x, Handle weight, Handle bias);

}  // namespace burn::ops
