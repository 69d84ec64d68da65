#include <burn/ops/sort.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/indexing.h>

namespace burn::ops {

BURN_DEFINE_OP(Sort)

SpecList Sort::infer(std::span<const TensorSpec> inputs) {
    require_numeric(inputs[0], info.name);
    Shape shape = inputs[0].shape;
    const std::size_t along = normalize_axis(axis, shape.rank(), info.name);
    axis = static_cast<std::int64_t>(along);
    if (count == kAll) count = shape[along];
    if (count < 0 || count > shape[along]) {
        raise(ErrorKind::Argument, Message() << "sort: the first " << count << " elements on axis " << axis << " of "
                                             << shape << "; expected 0 to " << shape[along]);
    }
    shape[along] = count;
    return {TensorSpec{shape, inputs[0].dtype}, TensorSpec{shape, DType::I64}};
}

void Sort::gradient(GradScope& scope) const {
    Handle zeros = full(scope.dy().engine(), scope.input_spec(0).shape, scope.dy().dtype(), 0);
    scope.dx(0) = scatter(std::move(zeros), axis, scope.output(1), scope.dy(), IndexingUpdate::Add);
}

Handle sort(Handle x, std::int64_t axis, bool descending) {
    return std::move(sort_with_indices(std::move(x), axis, descending)[0]);
}

Handle argsort(Handle x, std::int64_t axis, bool descending) {
    return std::move(sort_with_indices(std::move(x), axis, descending)[1]);
}

HandleList sort_with_indices(Handle x, std::int64_t axis, bool descending) {
    return apply(Sort{axis, descending, Sort::kAll}, list_of(std::move(x)));
}

Handle topk(Handle x, std::int64_t axis, std::int64_t k) {
    return std::move(topk_with_indices(std::move(x), axis, k)[0]);
}

Handle argtopk(Handle x, std::int64_t axis, std::int64_t k) {
    return std::move(topk_with_indices(std::move(x), axis, k)[1]);
}

HandleList topk_with_indices(Handle x, std::int64_t axis, std::int64_t k) {
    const std::int64_t size = x.shape()[normalize_axis(axis, x.rank(), "topk")];
    if (k < 0 || k > size) {
        raise(ErrorKind::Argument, Message() << "topk: the largest " << k << " of axis " << axis << " of " << x.shape()
                                             << "; expected 0 to " << size);
    }
    return apply(Sort{axis, true, k}, list_of(std::move(x)));
}

}  // namespace burn::ops
