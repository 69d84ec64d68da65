#include <burn/ops/reduce.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>

namespace burn::ops {

BURN_DEFINE_OP(Sum)
BURN_DEFINE_OP(Mean)
BURN_DEFINE_OP(Prod)
BURN_DEFINE_OP(ProdOfOthers)
BURN_DEFINE_OP(Max)
BURN_DEFINE_OP(Min)
BURN_DEFINE_OP(ArgMax)
BURN_DEFINE_OP(ArgMin)
BURN_DEFINE_OP(Any)
BURN_DEFINE_OP(All)
BURN_DEFINE_OP(Var)

namespace {

SpecList infer_reduced(Dims& axes, const TensorSpec& input, const char* op) {
    normalize_axes(axes, input.rank(), op);
    return {TensorSpec{reduced_shape(input.shape, axes), input.dtype}};
}

/// An extremum of nothing does not exist; a reduction that has no results may be empty.
void require_elements(const Shape& shape, const Dims& axes, const char* op) {
    if (shape.numel() != 0 || reduced_shape(shape, axes).numel() == 0) return;
    for (const std::int64_t axis : axes) {
        if (shape[static_cast<std::size_t>(axis)] == 0) {
            raise(ErrorKind::Shape, Message() << op << ": axis " << axis << " of " << shape
                                              << " is empty; expected at least one element");
        }
    }
}

SpecList infer_extremum(Dims& axes, const TensorSpec& input, const char* op) {
    require_numeric(input, op);
    SpecList results = infer_reduced(axes, input, op);
    require_elements(input.shape, axes, op);
    return results;
}

SpecList infer_arg(std::int64_t& axis, const TensorSpec& input, const char* op) {
    Dims axes{axis};
    SpecList results = infer_extremum(axes, input, op);
    axis = axes[0];
    results[0].dtype = DType::I64;
    return results;
}

double count_along(const Shape& shape, const Dims& axes) {
    double count = 1;
    for (const std::int64_t axis : axes) count *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
    return count;
}

Handle truth(Handle x) { return x.dtype() == DType::Bool ? x : not_equal_scalar(std::move(x), 0); }

}  // namespace

SpecList Sum::infer(std::span<const TensorSpec> inputs) {
    require_numeric(inputs[0], info.name);
    return infer_reduced(axes, inputs[0], info.name);
}

void Sum::gradient(GradScope& scope) const { scope.dx(0) = expand(scope.dy(), scope.input_spec(0).shape); }

SpecList Mean::infer(std::span<const TensorSpec> inputs) {
    require_numeric(inputs[0], info.name);
    return infer_reduced(axes, inputs[0], info.name);
}

double Mean::divisor(const Shape& x) const { return count_along(x, axes); }

void Mean::gradient(GradScope& scope) const {
    const Shape& shape = scope.input_spec(0).shape;
    scope.dx(0) = expand(div_scalar(scope.dy(), divisor(shape)), shape);
}

HandleList Mean::decompose(HandleList inputs) const {
    const double count = divisor(inputs[0].shape());
    const DType dtype = inputs[0].dtype();
    // A sum of integers need not fit their type, nor need the number of them.
    const DType wide = !is_int(dtype) ? accumulator_of(dtype) : is_unsigned(dtype) ? DType::U64 : DType::I64;
    Handle total = sum(cast(std::move(inputs[0]), wide), axes);
    return {cast(div_scalar(std::move(total), count), dtype)};
}

SpecList Prod::infer(std::span<const TensorSpec> inputs) {
    require_numeric(inputs[0], info.name);
    return infer_reduced(axes, inputs[0], info.name);
}

void Prod::gradient(GradScope& scope) const {
    scope.dx(0) = mul(apply_one(ProdOfOthers{{axes}}, list_of(scope.input(0))), scope.dy());
}

SpecList ProdOfOthers::infer(std::span<const TensorSpec> inputs) {
    require_float(inputs[0], info.name);
    normalize_axes(axes, inputs[0].rank(), info.name);
    return {inputs[0]};
}

SpecList Max::infer(std::span<const TensorSpec> inputs) { return infer_extremum(axes, inputs[0], info.name); }

SpecList Min::infer(std::span<const TensorSpec> inputs) { return infer_extremum(axes, inputs[0], info.name); }

SpecList ArgMax::infer(std::span<const TensorSpec> inputs) { return infer_arg(axis, inputs[0], info.name); }

SpecList ArgMin::infer(std::span<const TensorSpec> inputs) { return infer_arg(axis, inputs[0], info.name); }

SpecList Any::infer(std::span<const TensorSpec> inputs) {
    require_bool(inputs[0], info.name);
    return infer_reduced(axes, inputs[0], info.name);
}

SpecList All::infer(std::span<const TensorSpec> inputs) {
    require_bool(inputs[0], info.name);
    return infer_reduced(axes, inputs[0], info.name);
}

SpecList Var::infer(std::span<const TensorSpec> inputs) {
    require_float(inputs[0], info.name);
    return infer_reduced(axes, inputs[0], info.name);
}

double Var::divisor(const Shape& x) const {
    const double freedom = count_along(x, axes) - static_cast<double>(correction);
    return freedom > 0 ? freedom : 0;
}

void Var::gradient(GradScope& scope) const {
    const Handle& x = scope.input(0);
    scope.dx(0) = mul(sub(x, mean(x, axes)), mul_scalar(scope.dy(), 2 / divisor(x.shape())));
}

HandleList Var::decompose(HandleList inputs) const {
    const DType dtype = inputs[0].dtype();
    Handle x = cast(std::move(inputs[0]), accumulator_of(dtype));
    const double count = divisor(x.shape());
    Handle middle = mean(x, axes);
    return {cast(div_scalar(sum(square(sub(std::move(x), std::move(middle))), axes), count), dtype)};
}

Handle sum(Handle x, Dims axes) { return apply_one(Sum{{axes}}, list_of(std::move(x))); }
Handle mean(Handle x, Dims axes) { return apply_one(Mean{{axes}}, list_of(std::move(x))); }
Handle prod(Handle x, Dims axes) { return apply_one(Prod{{axes}}, list_of(std::move(x))); }
Handle max(Handle x, Dims axes) { return apply_one(Max{{axes}}, list_of(std::move(x))); }
Handle min(Handle x, Dims axes) { return apply_one(Min{{axes}}, list_of(std::move(x))); }
Handle max_abs(Handle x, Dims axes) { return max(abs(std::move(x)), axes); }
Handle var(Handle x, Dims axes, std::int64_t correction) {
    return apply_one(Var{axes, correction}, list_of(std::move(x)));
}
Handle any(Handle x, Dims axes) { return apply_one(Any{{axes}}, list_of(truth(std::move(x)))); }
Handle all(Handle x, Dims axes) { return apply_one(All{{axes}}, list_of(truth(std::move(x)))); }
Handle argmax(Handle x, std::int64_t axis) { return apply_one(ArgMax{axis}, list_of(std::move(x))); }
Handle argmin(Handle x, std::int64_t axis) { return apply_one(ArgMin{axis}, list_of(std::move(x))); }

Handle over_all(Handle (*reduction)(Handle x, Dims axes), Handle x) {
    Dims axes;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) axes.push_back(static_cast<std::int64_t>(axis));
    return reshape(reduction(std::move(x), axes), {1});
}

Handle sum_all(Handle x) { return over_all(sum, std::move(x)); }

Handle sum_to(Handle x, const Shape& shape) {
    Dims axes;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 1 && x.shape()[axis] != 1) axes.push_back(static_cast<std::int64_t>(axis));
    }
    return axes.empty() ? x : sum(std::move(x), axes);
}

}  // namespace burn::ops
