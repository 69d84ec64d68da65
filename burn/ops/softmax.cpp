#include <burn/ops/softmax.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

BURN_DEFINE_OP(Softmax)
BURN_DEFINE_OP(SoftmaxGrad)
BURN_DEFINE_OP(LogSoftmax)
BURN_DEFINE_OP(LogSoftmaxGrad)

namespace {

SpecList infer_along(std::int64_t& axis, std::span<const TensorSpec> inputs, const char* op) {
    require_float(inputs[0], op);
    axis = static_cast<std::int64_t>(normalize_axis(axis, inputs[0].rank(), op));
    if (inputs.size() > 1) {
        require_same_dtype(inputs[0], inputs[1], op);
        require_same_shape(inputs[0], inputs[1], op);
    }
    return {inputs[0]};
}

}  // namespace

SpecList Softmax::infer(std::span<const TensorSpec> inputs) { return infer_along(axis, inputs, info.name); }

void Softmax::gradient(GradScope& scope) const {
    scope.dx(0) = apply_one(SoftmaxGrad{axis}, list_of(scope.output(), scope.dy()));
}

HandleList Softmax::decompose(HandleList inputs) const {
    if (inputs[0].shape().numel() == 0) return inputs;
    const DType dtype = inputs[0].dtype();
    Handle x = cast(std::move(inputs[0]), accumulator_of(dtype));
    Handle middle = max(x, {axis});
    if (quiet) middle = clamp_min(std::move(middle), 0);
    Handle powers = exp(sub(std::move(x), middle));
    Handle total = sum(powers, {axis});
    if (quiet) total = add(std::move(total), exp(neg(std::move(middle))));
    return {cast(div(std::move(powers), std::move(total)), dtype)};
}

SpecList SoftmaxGrad::infer(std::span<const TensorSpec> inputs) { return infer_along(axis, inputs, info.name); }

HandleList SoftmaxGrad::decompose(HandleList inputs) const {
    const DType dtype = inputs[0].dtype();
    const Handle y = cast(inputs[0], accumulator_of(dtype));
    const Handle dy = cast(inputs[1], accumulator_of(dtype));
    return {cast(mul(y, sub(dy, sum(mul(y, dy), {axis}))), dtype)};
}

SpecList LogSoftmax::infer(std::span<const TensorSpec> inputs) { return infer_along(axis, inputs, info.name); }

void LogSoftmax::gradient(GradScope& scope) const {
    scope.dx(0) = apply_one(LogSoftmaxGrad{axis}, list_of(scope.output(), scope.dy()));
}

HandleList LogSoftmax::decompose(HandleList inputs) const {
    if (inputs[0].shape().numel() == 0) return inputs;
    const DType dtype = inputs[0].dtype();
    Handle x = cast(std::move(inputs[0]), accumulator_of(dtype));
    Handle middle = max(x, {axis});
    Handle centred = sub(std::move(x), std::move(middle));
    Handle total = log(sum(exp(centred), {axis}));
    return {cast(sub(std::move(centred), std::move(total)), dtype)};
}

SpecList LogSoftmaxGrad::infer(std::span<const TensorSpec> inputs) { return infer_along(axis, inputs, info.name); }

HandleList LogSoftmaxGrad::decompose(HandleList inputs) const {
    const DType dtype = inputs[0].dtype();
    const Handle y = cast(inputs[0], accumulator_of(dtype));
    const Handle dy = cast(inputs[1], accumulator_of(dtype));
    return {cast(sub(dy, mul(exp(y), sum(dy, {axis}))), dtype)};
}

Handle softmax(Handle x, std::int64_t axis) { return apply_one(Softmax{axis}, list_of(std::move(x))); }
Handle quiet_softmax(Handle x, std::int64_t axis) { return apply_one(Softmax{axis, true}, list_of(std::move(x))); }
Handle log_softmax(Handle x, std::int64_t axis) { return apply_one(LogSoftmax{axis}, list_of(std::move(x))); }
Handle softmin(Handle x, std::int64_t axis) { return softmax(neg(std::move(x)), axis); }

}  // namespace burn::ops
