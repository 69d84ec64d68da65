#pragma once

#include <burn/ops/pool.h>

namespace burn::ops {

/// Completes the options of a pool, checks them against x's shape, and gives the shape of the result.
///
/// Errors    ShapeError when ranks or sizes do not fit; ArgumentError for options that make no sense; `op` names the operation
Shape pooled_shape(PoolOptions& options, const Shape& x, const char* op);

}  // namespace burn::ops
