#include <burn/ops/scan.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/join.h>
#include <burn/ops/slice.h>

namespace burn::ops {

BURN_DEFINE_OP(CumSum)
BURN_DEFINE_OP(CumProd)
BURN_DEFINE_OP(CumMax)
BURN_DEFINE_OP(CumMin)

namespace {

void check_scan(const TensorSpec& x, std::int64_t& axis, const char* op) {
    require_numeric(x, op);
    axis = static_cast<std::int64_t>(normalize_axis(axis, x.rank(), op));
}

/// The elements of an axis moved by `distance` towards the start, `fill` where nothing came; negative: towards the end.
Handle shifted(const Handle& x, std::int64_t axis, std::int64_t distance, Scalar fill) {
    const std::int64_t size = x.shape()[static_cast<std::size_t>(axis)];
    const std::int64_t kept = size - (distance < 0 ? -distance : distance);
    Dims before = Dims::filled(x.rank(), 0);
    Dims after = before;
    (distance < 0 ? before : after)[static_cast<std::size_t>(axis)] = size - kept;
    return pad(narrow(x, axis, distance < 0 ? 0 : distance, kept), before, after, PadMode::Constant, fill);
}

/// s with s_i = term_i + factor_i s_(i+1), the term after the last being 0, in log2(n) steps: each joins stretches of twice the
/// length.
Handle backward_recurrence(Handle term, Handle factor, std::int64_t axis) {
    const std::int64_t size = term.shape()[static_cast<std::size_t>(axis)];
    for (std::int64_t reach = 1; reach < size; reach *= 2) {
        term = add(mul(factor, shifted(term, axis, reach, 0)), term);
        if (2 * reach < size) factor = mul(factor, shifted(factor, axis, reach, 0));
    }
    return term;
}

Handle extremum_gradient(GradScope& scope, std::int64_t axis) {
    Handle zeros = full(scope.dy().engine(), scope.input_spec(0).shape, scope.dy().dtype(), 0);
    return scatter(std::move(zeros), axis, scope.output(1), scope.dy(), IndexingUpdate::Add);
}

}  // namespace

SpecList CumSum::infer(std::span<const TensorSpec> inputs) {
    check_scan(inputs[0], axis, info.name);
    return {inputs[0]};
}

void CumSum::gradient(GradScope& scope) const { scope.dx(0) = flip(cumsum(flip(scope.dy(), {axis}), axis), {axis}); }

SpecList CumProd::infer(std::span<const TensorSpec> inputs) {
    check_scan(inputs[0], axis, info.name);
    return {inputs[0]};
}

void CumProd::gradient(GradScope& scope) const {
    const std::int64_t size = scope.input_spec(0).shape[static_cast<std::size_t>(axis)];
    if (size < 2) {
        scope.dx(0) = scope.dy();
        return;
    }
    Handle next = shifted(scope.input(0), axis, 1, 0);
    Handle before = shifted(scope.output(), axis, -1, 1);
    scope.dx(0) = mul(std::move(before), backward_recurrence(scope.dy(), std::move(next), axis));
}

SpecList CumMax::infer(std::span<const TensorSpec> inputs) {
    check_scan(inputs[0], axis, info.name);
    return {inputs[0], TensorSpec{inputs[0].shape, DType::I64}};
}

void CumMax::gradient(GradScope& scope) const { scope.dx(0) = extremum_gradient(scope, axis); }

SpecList CumMin::infer(std::span<const TensorSpec> inputs) {
    check_scan(inputs[0], axis, info.name);
    return {inputs[0], TensorSpec{inputs[0].shape, DType::I64}};
}

void CumMin::gradient(GradScope& scope) const { scope.dx(0) = extremum_gradient(scope, axis); }

Handle cumsum(Handle x, std::int64_t axis) { return apply_one(CumSum{axis}, list_of(std::move(x))); }

Handle cumprod(Handle x, std::int64_t axis) { return apply_one(CumProd{axis}, list_of(std::move(x))); }

Handle cummax(Handle x, std::int64_t axis) { return std::move(cummax_with_indices(std::move(x), axis)[0]); }

Handle cummin(Handle x, std::int64_t axis) { return std::move(cummin_with_indices(std::move(x), axis)[0]); }

HandleList cummax_with_indices(Handle x, std::int64_t axis) { return apply(CumMax{axis}, list_of(std::move(x))); }

HandleList cummin_with_indices(Handle x, std::int64_t axis) { return apply(CumMin{axis}, list_of(std::move(x))); }

}  // namespace burn::ops
