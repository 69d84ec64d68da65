#include <burn/ops/indexing.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

namespace burn::ops {

BURN_DEFINE_OP(Gather)
BURN_DEFINE_OP(Scatter)
BURN_DEFINE_OP(Select)
BURN_DEFINE_OP(SelectAssign)
BURN_DEFINE_OP(GatherNd)
BURN_DEFINE_OP(ScatterNd)

namespace {

void require_indices(const TensorSpec& at, const char* op) {
    if (!is_int(at.dtype)) {
        raise(ErrorKind::DType, Message() << op << ": the indices are " << at.dtype << "; expected an Int type");
    }
}

void require_assign_or_add(IndexingUpdate update, const char* op) {
    if (update != IndexingUpdate::Assign && update != IndexingUpdate::Add) {
        raise(ErrorKind::Argument, Message() << op << ": only the updates Assign and Add exist here");
    }
}

void require_values(const TensorSpec& x, const TensorSpec& values, const Shape& expected, const char* op) {
    require_same_dtype(x, values, op);
    if (!(values.shape == expected)) {
        raise(ErrorKind::Shape, Message() << op << ": the values have shape " << values.shape << "; expected "
                                          << expected << " for x " << x.shape);
    }
}

/// Checks what gather and scatter share and makes `axis` non-negative.
void check_places(const TensorSpec& x, const TensorSpec& at, std::int64_t& axis, const char* op) {
    require_indices(at, op);
    const std::size_t along = normalize_axis(axis, x.rank(), op);
    axis = static_cast<std::int64_t>(along);
    bool fits = at.rank() == x.rank();
    for (std::size_t i = 0; i < x.rank() && fits; ++i) fits = i == along || at.shape[i] <= x.shape[i];
    if (!fits) {
        raise(ErrorKind::Shape, Message() << op << ": indices " << at.shape << " do not fit x " << x.shape
                                          << "; expected one rank, and no size larger than x's but on axis " << axis);
    }
}

/// The shape of x's rows that `at` names.
Shape check_rows(const TensorSpec& x, const TensorSpec& at, std::int64_t& axis, const char* op) {
    require_indices(at, op);
    require_rank(at, 1, op, "the indices");
    axis = static_cast<std::int64_t>(normalize_axis(axis, x.rank(), op));
    Shape shape = x.shape;
    shape[static_cast<std::size_t>(axis)] = at.shape[0];
    return shape;
}

/// The shape of what `at` names by the indices of the leading axes.
Shape check_blocks(const TensorSpec& x, const TensorSpec& at, const char* op) {
    require_indices(at, op);
    const std::int64_t depth = at.rank() == 0 ? 0 : at.shape.back();
    if (depth < 1 || depth > static_cast<std::int64_t>(x.rank())) {
        raise(ErrorKind::Shape, Message() << op << ": indices " << at.shape << " name " << depth << " axes of x "
                                          << x.shape << "; expected 1 to " << x.rank());
    }
    Shape shape;
    for (std::size_t i = 0; i + 1 < at.rank(); ++i) shape.push_back(at.shape[i]);
    for (std::size_t i = static_cast<std::size_t>(depth); i < x.rank(); ++i) shape.push_back(x.shape[i]);
    if (shape.empty()) shape.push_back(1);
    return shape;
}

Handle zeros_of(GradScope& scope, std::size_t input) {
    return full(scope.dy().engine(), scope.input_spec(input).shape, scope.dy().dtype(), 0);
}

}  // namespace

SpecList Gather::infer(std::span<const TensorSpec> inputs) {
    check_places(inputs[0], inputs[1], axis, called);
    return {TensorSpec{inputs[1].shape, inputs[0].dtype}};
}

void Gather::gradient(GradScope& scope) const {
    scope.dx(0) = scatter(zeros_of(scope, 0), axis, scope.input(1), scope.dy(), IndexingUpdate::Add);
}

SpecList Scatter::infer(std::span<const TensorSpec> inputs) {
    require_assign_or_add(update, called);
    check_places(inputs[0], inputs[1], axis, called);
    require_values(inputs[0], inputs[2], inputs[1].shape, called);
    return {inputs[0]};
}

void Scatter::gradient(GradScope& scope) const {
    const Handle& at = scope.input(1);
    if (scope.wants(2)) scope.dx(2) = gather(scope.dy(), axis, at);
    if (!scope.wants(0)) return;
    scope.dx(0) =
        update == IndexingUpdate::Add ? scope.dy() : scatter(scope.dy(), axis, at, zeros_of(scope, 2), update);
}

SpecList Select::infer(std::span<const TensorSpec> inputs) {
    return {TensorSpec{check_rows(inputs[0], inputs[1], axis, called), inputs[0].dtype}};
}

void Select::gradient(GradScope& scope) const {
    scope.dx(0) = select_assign(zeros_of(scope, 0), axis, scope.input(1), scope.dy(), IndexingUpdate::Add);
}

SpecList SelectAssign::infer(std::span<const TensorSpec> inputs) {
    require_assign_or_add(update, called);
    require_values(inputs[0], inputs[2], check_rows(inputs[0], inputs[1], axis, called), called);
    return {inputs[0]};
}

void SelectAssign::gradient(GradScope& scope) const {
    const Handle& at = scope.input(1);
    if (scope.wants(2)) scope.dx(2) = select(scope.dy(), axis, at);
    if (!scope.wants(0)) return;
    scope.dx(0) =
        update == IndexingUpdate::Add ? scope.dy() : select_assign(scope.dy(), axis, at, zeros_of(scope, 2), update);
}

SpecList GatherNd::infer(std::span<const TensorSpec> inputs) {
    return {TensorSpec{check_blocks(inputs[0], inputs[1], info.name), inputs[0].dtype}};
}

void GatherNd::gradient(GradScope& scope) const {
    scope.dx(0) = scatter_nd(zeros_of(scope, 0), scope.input(1), scope.dy(), IndexingUpdate::Add);
}

SpecList ScatterNd::infer(std::span<const TensorSpec> inputs) {
    require_assign_or_add(update, info.name);
    require_values(inputs[0], inputs[2], check_blocks(inputs[0], inputs[1], info.name), info.name);
    return {inputs[0]};
}

void ScatterNd::gradient(GradScope& scope) const {
    const Handle& at = scope.input(1);
    if (scope.wants(2)) scope.dx(2) = gather_nd(scope.dy(), at);
    if (!scope.wants(0)) return;
    scope.dx(0) = update == IndexingUpdate::Add ? scope.dy() : scatter_nd(scope.dy(), at, zeros_of(scope, 2), update);
}

namespace {

/// x as rows [n_1 .. n_k, rest], and the number of each row that `at` names; a row outside x has the number -1, so that the
/// backend's check of indices finds it.
struct Rows {
    Shape shape;
    Handle at;
};

Rows flatten_rows(const Shape& x, const Handle& at) {
    const std::int64_t depth = at.shape().back();
    Shape rows{1, 1};
    for (std::size_t i = 0; i < x.rank(); ++i) rows[static_cast<std::int64_t>(i) < depth ? 0 : 1] *= x[i];
    Handle number;
    Handle outside;
    for (std::int64_t i = 0; i < depth; ++i) {
        const std::int64_t size = x[static_cast<std::size_t>(i)];
        Handle index = reshape(cast(narrow(at, -1, i, 1), DType::I64), {at.shape().numel() / depth});
        Handle beyond = bool_or(lower_scalar(index, 0), greater_equal_scalar(index, size));
        outside = outside ? bool_or(std::move(outside), std::move(beyond)) : std::move(beyond);
        number = number ? add(mul_scalar(std::move(number), size), std::move(index)) : std::move(index);
    }
    return {rows, mask_fill(std::move(outside), std::move(number), -1)};
}

}  // namespace

HandleList GatherNd::decompose(HandleList inputs) const {
    const TensorSpec specs[] = {inputs[0].spec(), inputs[1].spec()};
    const Shape result = check_blocks(specs[0], specs[1], info.name);
    Rows rows = flatten_rows(specs[0].shape, inputs[1]);
    return {reshape(select(reshape(std::move(inputs[0]), rows.shape), 0, std::move(rows.at), info.name), result)};
}

HandleList ScatterNd::decompose(HandleList inputs) const {
    const Shape shape = inputs[0].shape();
    Rows rows = flatten_rows(shape, inputs[1]);
    Handle values = reshape(std::move(inputs[2]), {rows.at.shape()[0], rows.shape[1]});
    return {reshape(select_assign(reshape(std::move(inputs[0]), rows.shape), 0, std::move(rows.at), std::move(values),
                                  update, info.name),
                    shape)};
}

Handle gather(Handle x, std::int64_t axis, Handle at, const char* called) {
    return apply_one(Gather{axis, called}, list_of(std::move(x), std::move(at)));
}

Handle scatter(Handle x, std::int64_t axis, Handle at, Handle values, IndexingUpdate update, const char* called) {
    return apply_one(Scatter{axis, update, called}, list_of(std::move(x), std::move(at), std::move(values)));
}

Handle select(Handle x, std::int64_t axis, Handle at, const char* called) {
    return apply_one(Select{axis, called}, list_of(std::move(x), std::move(at)));
}

Handle select_assign(Handle x, std::int64_t axis, Handle at, Handle values, IndexingUpdate update, const char* called) {
    return apply_one(SelectAssign{axis, update, called}, list_of(std::move(x), std::move(at), std::move(values)));
}

Handle gather_nd(Handle x, Handle at) { return apply_one(GatherNd{}, list_of(std::move(x), std::move(at))); }

Handle scatter_nd(Handle x, Handle at, Handle values, IndexingUpdate update) {
    switch (update) {
        case IndexingUpdate::Assign:
        case IndexingUpdate::Add: break;
        case IndexingUpdate::Mul: values = mul(gather_nd(x, at), std::move(values)); break;
        case IndexingUpdate::Min: values = min_pair(gather_nd(x, at), std::move(values)); break;
        case IndexingUpdate::Max: values = max_pair(gather_nd(x, at), std::move(values)); break;
    }
    const IndexingUpdate write = update == IndexingUpdate::Add ? IndexingUpdate::Add : IndexingUpdate::Assign;
    return apply_one(ScatterNd{write}, list_of(std::move(x), std::move(at), std::move(values)));
}

Handle take(Handle x, std::int64_t axis, Handle at, const char* called) {
    require_indices(at.spec(), called);
    const std::size_t along = normalize_axis(axis, x.rank(), called);
    Shape shape;
    for (std::size_t i = 0; i < along; ++i) shape.push_back(x.shape()[i]);
    for (std::int64_t size : at.shape()) shape.push_back(size);
    for (std::size_t i = along + 1; i < x.rank(); ++i) shape.push_back(x.shape()[i]);
    const std::int64_t count = at.shape().numel();
    at = reshape(std::move(at), {count});
    return reshape(select(std::move(x), static_cast<std::int64_t>(along), std::move(at), called), shape);
}

Handle embedding(Handle weight, Handle at) {
    require_rank(weight.spec(), 2, "embedding", "the weight");
    return take(std::move(weight), 0, std::move(at), "embedding");
}

}  // namespace burn::ops
