#include <burn/ops/loss.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/softmax.h>

namespace burn::ops {

BURN_DEFINE_OP(CrossEntropy)
BURN_DEFINE_OP(CrossEntropyGrad)

namespace {

void require_rows(std::span<const TensorSpec> inputs, const char* op) {
    require_float(inputs[0], op);
    require_int(inputs[1], op);
    require_rank(inputs[0], 2, op, "logits");
    if (inputs[0].shape[1] < 1)
        raise(ErrorKind::Shape, Message() << op << ": logits " << inputs[0].shape << " have no classes");
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        if (inputs[i].shape != Shape{inputs[0].shape[0]}) {
            raise(ErrorKind::Shape, Message() << op << ": " << (i == 1 ? "targets " : "dy ") << inputs[i].shape
                                              << " do not fit logits " << inputs[0].shape << "; expected ["
                                              << inputs[0].shape[0] << ']');
        }
    }
}

/// A vector as one column.
Handle as_column(Handle vector) {
    const std::int64_t count = vector.shape()[0];
    return reshape(std::move(vector), {count, 1});
}

}  // namespace

SpecList CrossEntropy::infer(std::span<const TensorSpec> inputs) {
    require_rows(inputs, info.name);
    return {TensorSpec{inputs[1].shape, inputs[0].dtype}};
}

void CrossEntropy::gradient(GradScope& scope) const {
    scope.dx(0) = apply_one(CrossEntropyGrad{}, list_of(scope.input(0), scope.input(1), scope.dy()));
}

HandleList CrossEntropy::decompose(HandleList inputs) const {
    const Shape shape = inputs[1].shape();
    Handle picked = gather(log_softmax(std::move(inputs[0]), 1), 1, as_column(std::move(inputs[1])), info.name);
    return {neg(reshape(std::move(picked), shape))};
}

SpecList CrossEntropyGrad::infer(std::span<const TensorSpec> inputs) {
    require_rows(inputs, info.name);
    require_same_dtype(inputs[0], inputs[2], info.name);
    return {inputs[0]};
}

HandleList CrossEntropyGrad::decompose(HandleList inputs) const {
    const DType dtype = inputs[0].dtype(), wide = accumulator_of(dtype);
    Handle at = as_column(std::move(inputs[1])), slopes = cast(as_column(std::move(inputs[2])), wide);
    Handle minus_one = full(at.engine(), at.shape(), wide, -1);
    Handle errors = scatter(softmax(cast(std::move(inputs[0]), wide), 1), 1, std::move(at), std::move(minus_one),
                            IndexingUpdate::Add, info.name);
    return {cast(mul(std::move(errors), std::move(slopes)), dtype)};
}

Handle cross_entropy(Handle logits, Handle targets) {
    return apply_one(CrossEntropy{}, list_of(std::move(logits), std::move(targets)));
}

Handle cross_entropy_with_probabilities(Handle logits, Handle target_probs) {
    Handle rows = sum(mul(log_softmax(std::move(logits), -1), std::move(target_probs)), {-1});
    return neg(over_all(mean, std::move(rows)));
}

}  // namespace burn::ops
