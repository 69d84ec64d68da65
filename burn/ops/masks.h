#pragma once

#include <burn/core/scalar.h>
#include <burn/ops/handle.h>

/// Masks by place, and what is made with them. Element (i, j) of the last two axes lies on diagonal j - i.

namespace burn::ops {

/// True below diagonal `offset`: what `triu` clears.
///
/// Shapes    the last two axes are rows and columns, the same for all before them
/// Errors    ShapeError for fewer than two axes
Handle triu_mask(Engine& engine, const Shape& shape, std::int64_t offset);
/// True above diagonal `offset`: what `tril` clears.
Handle tril_mask(Engine& engine, const Shape& shape, std::int64_t offset);
/// True outside diagonal `offset`.
Handle diag_mask(Engine& engine, const Shape& shape, std::int64_t offset);

/// Zeros below diagonal `offset`.
Handle triu(Handle x, std::int64_t offset);
/// Zeros above diagonal `offset`.
Handle tril(Handle x, std::int64_t offset);
/// Ones on the diagonal of a square of zeros.
Handle eye(Engine& engine, std::int64_t size, DType dtype);

/// `on` at the place that each index names along a new axis of `classes` elements, `off` elsewhere.
///
/// Shapes    indices [..] -> y [.., classes, ..], the new axis at `axis` of y; negative indices count from the end
/// DTypes    indices Int; y has `dtype`
/// Errors    IndexError when an index is out of range; ArgumentError unless there is at least one class
Handle one_hot_fill(Handle indices, std::int64_t classes, Scalar on, Scalar off, std::int64_t axis, DType dtype);
/// The same with 1 and 0 along a new last axis, in the type of the indices.
Handle one_hot(Handle indices, std::int64_t classes);

}  // namespace burn::ops
