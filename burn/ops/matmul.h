#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Matrix product over the last two axes; the axes before them broadcast.
///
///   y[.., i, j] = sum over k of lhs[.., i, k] * rhs[.., k, j]
///
/// Shapes    lhs [.., m, k], rhs [.., k, n] -> y [.., m, n]; equal ranks of at least 2
/// DTypes    Float and Int, one for both
/// Gradient  dlhs = dy rhs^T, drhs = lhs^T dy, summed over broadcast axes
/// Numerics  f16 and bf16 accumulate in f32; k = 0 gives zeros
/// Errors    ShapeError when ranks, inner sizes or batch axes do not fit; DTypeError when dtypes differ
struct MatMul {
    static constexpr OpInfo info{.name = "matmul",
                                 .doc = "matrix product over the last two axes",
                                 .kind = OpKind::Contract,
                                 .inputs = 2,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto&, FieldVisitor&) {}
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle matmul(Handle lhs, Handle rhs);

}  // namespace burn::ops
