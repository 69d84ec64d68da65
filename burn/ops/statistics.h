#pragma once

#include <burn/ops/handle.h>

/// Functions made of reductions, sorts and products.

namespace burn::ops {

/// Extrema along an axis, and their indices.
HandleList max_with_indices(Handle x, std::int64_t axis);
HandleList min_with_indices(Handle x, std::int64_t axis);

/// The lower median along an axis, and its index; the first NaN where there is one.
///
/// Errors    ShapeError on an empty axis
HandleList median_with_indices(Handle x, std::int64_t axis);

/// Covariance of the columns of a matrix, or of its rows: `axis` is that of the observations. The divisor is that of Var.
///
/// Shapes    x [n, variables] with axis 0, or [variables, n] with axis 1 -> [variables, variables]
/// Errors    ShapeError unless x is a matrix
Handle cov(Handle x, std::int64_t axis, std::int64_t correction);

/// a * sigmoid(b), where a and b are the halves of x along an axis.
///
/// Errors    ShapeError when the axis has an odd size
Handle glu(Handle x, std::int64_t axis);

}  // namespace burn::ops
