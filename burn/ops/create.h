#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

class Engine;

/// A tensor of one value.
///
/// DTypes    any
/// Errors    ShapeError for negative sizes
struct Full {
    Shape shape;
    DType dtype = DType::F32;
    Scalar value;

    static constexpr OpInfo info{.name = "full", .doc = "a tensor of one value", .kind = OpKind::Create, .inputs = 0};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("shape", self.shape);
        visit.structural("dtype", self.dtype);
        visit.runtime("value", self.value);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
};

Handle full(Engine& engine, const Shape& shape, DType dtype, Scalar value);
/// A tensor like x, of one value.
Handle full_like(const Handle& x, Scalar value);

}  // namespace burn::ops
