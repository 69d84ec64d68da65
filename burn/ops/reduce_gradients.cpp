// Gradients of reductions that work row by row: the reduced axes joined to one.
#include <burn/ops/reduce.h>

#include <burn/ops/cast.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/join.h>
#include <burn/ops/movement.h>
#include <burn/ops/scan.h>
#include <burn/ops/slice.h>

namespace burn::ops {

namespace {

/// Tensors seen with some axes moved to the end and joined to one: [kept.., n].
class Rows {
public:
    Rows(const Shape& shape, const Dims& axes) {
        for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
            if (!axes.contains(static_cast<std::int64_t>(axis))) order_.push_back(static_cast<std::int64_t>(axis));
        }
        kept_ = order_.size();
        for (const std::int64_t axis : axes) order_.push_back(axis);
    }

    Handle join(Handle x) const {
        Shape shape;
        std::int64_t length = 1;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::int64_t size = x.shape()[static_cast<std::size_t>(order_[i])];
            if (i < kept_) shape.push_back(size);
            if (i >= kept_) length *= size;
        }
        shape.push_back(length);
        return reshape(permute(std::move(x), order_), shape);
    }

    /// Back to the axes of a tensor of shape `shape`.
    Handle part(Handle rows, const Shape& shape) const {
        Shape permuted;
        Dims inverse = order_;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            permuted.push_back(shape[static_cast<std::size_t>(order_[i])]);
            inverse[static_cast<std::size_t>(order_[i])] = static_cast<std::int64_t>(i);
        }
        return permute(reshape(std::move(rows), permuted), inverse);
    }

private:
    Dims order_;
    std::size_t kept_;
};

/// dy at the place that `find` names in each row of x, zeros elsewhere.
Handle extremum_gradient(const Handle& x, const Dims& axes, Handle dy, Handle (*find)(Handle x, std::int64_t axis)) {
    if (axes.empty()) return dy;
    const Rows rows(x.shape(), axes);
    const Handle joined = rows.join(x);
    Handle at = find(joined, -1);
    Handle zeros = full_like(joined, 0);
    return rows.part(scatter(std::move(zeros), -1, std::move(at), rows.join(std::move(dy)), IndexingUpdate::Add),
                     x.shape());
}

/// Along the last axis, the product of what lies before each element.
Handle product_before(const Handle& rows) {
    const std::int64_t length = rows.shape().back();
    Shape first = rows.shape();
    first.back() = 1;
    Handle one = full(rows.engine(), first, rows.dtype(), 1);
    return cumprod(cat(list_of(std::move(one), narrow(rows, -1, 0, length - 1)), -1), -1);
}

}  // namespace

void Max::gradient(GradScope& scope) const {
    scope.dx(0) = extremum_gradient(scope.input(0), axes, scope.dy(), &argmax);
}

void Min::gradient(GradScope& scope) const {
    scope.dx(0) = extremum_gradient(scope.input(0), axes, scope.dy(), &argmin);
}

HandleList ProdOfOthers::decompose(HandleList inputs) const {
    const Handle& x = inputs[0];
    if (axes.empty()) return {full_like(x, 1)};
    if (x.shape().numel() == 0) return inputs;
    const Rows rows(x.shape(), axes);
    const Handle joined = rows.join(cast(x, accumulator_of(x.dtype())));
    Handle after = flip(product_before(flip(joined, {-1})), {-1});
    return {rows.part(cast(mul(product_before(joined), std::move(after)), x.dtype()), x.shape())};
}

}  // namespace burn::ops
