#include <burn/ops/linear.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

BURN_DEFINE_OP(Linear)

namespace {

/// All axes but the last as one.
Handle as_matrix(Handle x) {
    const std::int64_t columns = x.shape().back();
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < x.rank(); ++axis) rows *= x.shape()[axis];
    return x.rank() == 2 ? x : reshape(std::move(x), {rows, columns});
}

}  // namespace

SpecList Linear::infer(std::span<const TensorSpec> inputs) {
    if (inputs.size() != 2 && inputs.size() != 3) {
        raise(ErrorKind::Argument,
              Message() << "linear: " << inputs.size() << " operands; expected x, weight and perhaps bias");
    }
    const Shape& x = inputs[0].shape;
    const Shape& weight = inputs[1].shape;
    require_numeric(inputs[0], info.name);
    require_same_dtype(inputs[0], inputs[1], info.name);
    require_rank(inputs[1], 2, info.name, "weight");
    if (x.rank() < 1 || x.back() != weight[0]) {
        raise(ErrorKind::Shape, Message() << "linear: sizes differ: x " << x << ", weight " << weight
                                          << "; x's last axis must equal weight's first");
    }
    if (inputs.size() == 3) {
        require_same_dtype(inputs[0], inputs[2], info.name);
        if (inputs[2].shape != Shape{weight[1]}) {
            raise(ErrorKind::Shape, Message() << "linear: bias has shape " << inputs[2].shape << ", weight " << weight
                                              << "; expected [" << weight[1] << ']');
        }
    }
    Shape result = x;
    result.back() = weight[1];
    return {TensorSpec{result, inputs[0].dtype}};
}

void Linear::gradient(GradScope& scope) const {
    const Handle dy = as_matrix(scope.dy());
    if (scope.wants(0)) {
        scope.dx(0) = reshape(matmul(dy, swap_dims(scope.input(1), 0, 1)), scope.input_spec(0).shape);
    }
    if (scope.wants(1)) scope.dx(1) = matmul(swap_dims(as_matrix(scope.input(0)), 0, 1), dy);
    if (scope.input_count() == 3 && scope.wants(2)) scope.dx(2) = reshape(sum(dy, {0}), scope.input_spec(2).shape);
}

HandleList Linear::decompose(HandleList inputs) const {
    Shape shape = inputs[0].shape();
    shape.back() = inputs[1].shape()[1];
    const std::int64_t columns = shape.back();
    Handle y = matmul(as_matrix(std::move(inputs[0])), std::move(inputs[1]));
    if (inputs.size() == 3) y = add(std::move(y), reshape(std::move(inputs[2]), {1, columns}));
    return {reshape(std::move(y), shape)};
}

Handle linear(Handle x, Handle weight) { return apply_one(Linear{}, list_of(std::move(x), std::move(weight))); }
Handle linear(Handle x, Handle weight, Handle bias) {
    return apply_one(Linear{}, list_of(std::move(x), std::move(weight), std::move(bias)));
}

}  // namespace burn::ops
