#include <burn/ops/create.h>

#include <burn/ops/engine.h>

namespace burn::ops {

BURN_DEFINE_OP(Full)

SpecList Full::infer(std::span<const TensorSpec>) {
    require_valid_shape(shape, info.name);
    return {TensorSpec{shape, dtype}};
}

Handle full(Engine& engine, const Shape& shape, DType dtype, Scalar value) {
    return std::move(apply_on(engine, Full{shape, dtype, value}, {})[0]);
}

Handle full_like(const Handle& x, Scalar value) {
    return full(x.engine(), x.shape(), x.dtype(), value);
}

}  // namespace burn::ops
