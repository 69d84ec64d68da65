#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

class Engine;

/// A tensor of one value.
///
/// DTypes    any
/// Errors    ShapeError for negative sizes; DTypeError when the type does not have the value
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

/// Evenly spaced whole numbers.
///
///   y[i] = start + i step
///
/// Shapes    y [count]
/// DTypes    Float and Int
/// Errors    DTypeError on Bool, and when an Int type does not have the numbers; ShapeError for a negative count
struct Arange {
    std::int64_t start = 0;
    std::int64_t count = 0;
    std::int64_t step = 1;
    DType dtype = DType::I64;

    static constexpr OpInfo info{
        .name = "arange", .doc = "evenly spaced whole numbers", .kind = OpKind::Create, .inputs = 0};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.runtime("start", self.start);
        visit.structural("count", self.count);
        visit.runtime("step", self.step);
        visit.structural("dtype", self.dtype);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
};

Handle full(Engine& engine, const Shape& shape, DType dtype, Scalar value);
/// A tensor like x, of one value.
Handle full_like(const Handle& x, Scalar value);
/// start, start + step, .. up to but without `end`; a negative step counts down. Empty when `end` lies the other way.
///
/// Errors    ArgumentError for a step of 0
Handle arange(Engine& engine, std::int64_t start, std::int64_t end, std::int64_t step, DType dtype);
/// The same in the engine's type for indices.
Handle arange(Engine& engine, std::int64_t start, std::int64_t end, std::int64_t step = 1);

}  // namespace burn::ops
