#include <burn/ops/matmul.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

BURN_DEFINE_OP(MatMul)

SpecList MatMul::infer(std::span<const TensorSpec> inputs) {
    const Shape& lhs = inputs[0].shape;
    const Shape& rhs = inputs[1].shape;
    require_numeric(inputs[0], info.name);
    require_same_dtype(inputs[0], inputs[1], info.name);
    if (lhs.rank() < 2 || lhs.rank() != rhs.rank()) {
        raise(ErrorKind::Shape, Message() << "matmul: ranks do not fit: lhs " << lhs << ", rhs " << rhs
                                          << "; expected equal ranks of at least 2");
    }
    const std::size_t rank = lhs.rank();
    if (lhs[rank - 1] != rhs[rank - 2]) {
        raise(ErrorKind::Shape, Message() << "matmul: inner sizes differ: lhs " << lhs << ", rhs " << rhs
                                          << "; lhs columns must equal rhs rows");
    }
    Shape lhs_batch = lhs;
    Shape rhs_batch = rhs;
    for (std::size_t i = rank - 2; i < rank; ++i) lhs_batch[i] = rhs_batch[i] = 1;
    Shape result = broadcast_shapes(lhs_batch, rhs_batch, info.name);
    result[rank - 2] = lhs[rank - 2];
    result[rank - 1] = rhs[rank - 1];
    return {TensorSpec{result, inputs[0].dtype}};
}

void MatMul::gradient(GradScope& scope) const {
    if (scope.wants(0))
        scope.dx(0) = sum_to(matmul(scope.dy(), swap_dims(scope.input(1), -1, -2)), scope.input_spec(0).shape);
    if (scope.wants(1))
        scope.dx(1) = sum_to(matmul(swap_dims(scope.input(0), -1, -2), scope.dy()), scope.input_spec(1).shape);
}

Handle matmul(Handle lhs, Handle rhs) { return apply_one(MatMul{}, list_of(std::move(lhs), std::move(rhs))); }

}  // namespace burn::ops
