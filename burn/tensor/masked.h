#pragma once

#include <burn/ops/handle.h>

/// What a mask picks out. The size of the result depends on the values, so each of these waits for the mask to be read.

namespace burn::detail {

/// The elements of x where the mask holds, in row-major order.
///
/// Shapes    x and mask of one shape -> y [number of true elements]
/// Gradient  dx = dy where the mask holds, 0 elsewhere; also when nothing was picked
/// Errors    ShapeError when the shapes differ; DTypeError unless the mask is Bool
ops::Handle mask_select(ops::Handle x, const ops::Handle& mask);

/// The index of every true element.
///
/// Shapes    mask of rank r -> y [number of true elements, r], I64, in row-major order
ops::Handle argwhere(const ops::Handle& mask);

/// The columns of argwhere, a tensor for each axis.
ops::HandleList nonzero(const ops::Handle& mask);

}  // namespace burn::detail
