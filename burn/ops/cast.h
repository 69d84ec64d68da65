#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// The same values under another dtype, of any kind.
///
/// DTypes    any to any
/// Gradient  between Float types: dx = dy, cast back
/// Numerics  the rules of convert_element: rounds to nearest even between Float types; Float to Int truncates and saturates,
///           NaN gives 0; Int to Int keeps the low bits; anything to Bool is "not zero"; true is 1
struct Cast {
    DType dtype = DType::F32;

    static constexpr OpInfo info{
        .name = "cast", .doc = "the same values under another dtype", .kind = OpKind::Pointwise, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("dtype", self.dtype); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// x itself when it has the dtype already.
Handle cast(Handle x, DType dtype);

/// The type in which sums over elements of `dtype` are made: half types overflow and lose digits, f32 takes their place.
constexpr DType accumulator_of(DType dtype) { return dtype == DType::F16 || dtype == DType::BF16 ? DType::F32 : dtype; }

}  // namespace burn::ops
