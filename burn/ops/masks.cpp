#include <burn/ops/masks.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/movement.h>

namespace burn::ops {

namespace {

/// Compares every element's diagonal with `offset`: column numbers [1, c] against row numbers plus offset [r, 1].
Handle compare_diagonals(Engine& engine, const Shape& shape, std::int64_t offset, const char* op,
                         Handle (*compare)(Handle, Handle)) {
    if (shape.rank() < 2)
        raise(ErrorKind::Shape, Message()
                                    << op << ": " << shape << " has no rows and columns; expected at least 2 axes");
    require_valid_shape(shape, op);
    const std::int64_t rows = shape[shape.rank() - 2];
    const std::int64_t columns = shape[shape.rank() - 1];
    // Diagonals beyond the corners are all the same; kept next to them, their numbers cannot overflow.
    offset = offset < -rows ? -rows : (offset > columns ? columns : offset);
    Handle mask = compare(reshape(arange(engine, 0, columns), {1, columns}),
                          reshape(arange(engine, offset, offset + rows), {rows, 1}));
    return expand(std::move(mask), shape);
}

Shape last_two(const Shape& shape, const char* op) {
    if (shape.rank() < 2)
        raise(ErrorKind::Shape, Message()
                                    << op << ": " << shape << " has no rows and columns; expected at least 2 axes");
    Shape result = Dims::filled(shape.rank(), 1);
    for (std::size_t axis = shape.rank() - 2; axis < shape.rank(); ++axis) result[axis] = shape[axis];
    return result;
}

}  // namespace

Handle triu_mask(Engine& engine, const Shape& shape, std::int64_t offset) {
    return compare_diagonals(engine, shape, offset, "triu_mask", lower);
}

Handle tril_mask(Engine& engine, const Shape& shape, std::int64_t offset) {
    return compare_diagonals(engine, shape, offset, "tril_mask", greater);
}

Handle diag_mask(Engine& engine, const Shape& shape, std::int64_t offset) {
    return compare_diagonals(engine, shape, offset, "diag_mask", not_equal);
}

Handle triu(Handle x, std::int64_t offset) {
    Handle mask = triu_mask(x.engine(), last_two(x.shape(), "triu"), offset);
    return mask_fill(std::move(mask), std::move(x), 0);
}

Handle tril(Handle x, std::int64_t offset) {
    Handle mask = tril_mask(x.engine(), last_two(x.shape(), "tril"), offset);
    return mask_fill(std::move(mask), std::move(x), 0);
}

Handle eye(Engine& engine, std::int64_t size, DType dtype) {
    return mask_fill(diag_mask(engine, {size, size}, 0), full(engine, {size, size}, dtype, 1), 0);
}

Handle one_hot_fill(Handle indices, std::int64_t classes, Scalar on, Scalar off, std::int64_t axis, DType dtype) {
    require_int(indices.spec(), "one_hot");
    if (classes < 1) raise(ErrorKind::Argument, Message() << "one_hot: " << classes << " classes; expected at least 1");
    for (const Scalar value : {on, off}) require_scalar_fits(value, dtype, "one_hot");
    Engine& engine = indices.engine();
    const std::size_t place = normalize_axis(axis, indices.rank() + 1, "one_hot");
    if (!is_unsigned(indices.dtype())) {
        indices = cast(std::move(indices), DType::I64);  // narrow types may not hold the number of classes
        indices = where(lower_scalar(indices, 0), add_scalar(indices, classes), indices);
    }
    Handle places = unsqueeze_dim(std::move(indices), static_cast<std::int64_t>(place));
    Shape shape = places.shape();
    Handle values = expand(full(engine, Dims::filled(shape.rank(), 1), dtype, on), shape);
    shape[place] = classes;
    return scatter(full(engine, shape, dtype, off), static_cast<std::int64_t>(place), std::move(places),
                   std::move(values), IndexingUpdate::Assign, "one_hot");
}

Handle one_hot(Handle indices, std::int64_t classes) {
    const DType dtype = indices.dtype();
    return one_hot_fill(std::move(indices), classes, 1, 0, -1, dtype);
}

}  // namespace burn::ops
