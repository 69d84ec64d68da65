#include <burn/ops/reduce.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>

namespace burn::ops {

BURN_DEFINE_OP(Sum)

SpecList Sum::infer(std::span<const TensorSpec> inputs) {
    require_numeric(inputs[0], info.name);
    normalize_axes(axes, inputs[0].rank(), info.name);
    return {TensorSpec{reduced_shape(inputs[0].shape, axes), inputs[0].dtype}};
}

void Sum::gradient(GradScope& scope) const {
    scope.dx(0) = expand(scope.dy(), scope.input_spec(0).shape);
}

Handle sum(Handle x, Dims axes) {
    return apply_one(Sum{axes}, list_of(std::move(x)));
}

Handle sum_all(Handle x) {
    Dims axes;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) axes.push_back(static_cast<std::int64_t>(axis));
    return reshape(sum(std::move(x), axes), {1});
}

Handle sum_to(Handle x, const Shape& shape) {
    Dims axes;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 1 && x.shape()[axis] != 1) axes.push_back(static_cast<std::int64_t>(axis));
    }
    return axes.empty() ? x : sum(std::move(x), axes);
}

}  // namespace burn::ops
