#pragma once

#include <burn/backends/ndarray/strided.h>
#include <burn/core/dtype.h>
#include <burn/ops/op_code.h>
#include <burn/ops/pointwise.h>

namespace burn::ndarray {

/// The inner loop of a pointwise operation for one element type; data[0] is the result.
using PointwiseLoop = void (*)(const StridedRun& run, const ops::PointwiseAttributes& attributes);

/// The loops of one element type by op code; null where the operation does not take the type.
using PointwiseLoops = std::array<PointwiseLoop, ops::kOpCount>;

}  // namespace burn::ndarray
