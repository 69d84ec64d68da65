#include <burn/ops/cast.h>

#include <burn/ops/engine.h>

namespace burn::ops {

BURN_DEFINE_OP(Cast)

SpecList Cast::infer(std::span<const TensorSpec> inputs) { return {TensorSpec{inputs[0].shape, dtype}}; }

void Cast::gradient(GradScope& scope) const {
    const DType from = scope.input_spec(0).dtype;
    if (is_float(from)) scope.dx(0) = cast(scope.dy(), from);
}

Handle cast(Handle x, DType dtype) {
    if (x && x.dtype() == dtype) return x;
    return apply_one(Cast{dtype}, list_of(std::move(x)));
}

}  // namespace burn::ops
