#pragma once

#include <burn/ops/handle.h>
#include <burn/ops/pointwise.h>

#include <span>

namespace burn::conformance {

/// A line of ops/pointwise.def, callable by name.
struct PointwiseLine {
    const ops::PointwiseInfo& info;
    ops::Handle (*apply)(ops::HandleList operands, const ops::PointwiseAttributes& scalars);
    SpecList (*infer)(std::span<const TensorSpec> operands, const ops::PointwiseAttributes& scalars);
};

/// All lines of the table, in its order.
std::span<const PointwiseLine> pointwise_lines();

/// Null when the table has no such operation.
const PointwiseLine* find_pointwise(const char* name);

}  // namespace burn::conformance
