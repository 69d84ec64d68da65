#pragma once

#include <burn/core/tensor_data.h>

#include <string>

namespace burn::conformance {

/// Says where and how far `got` is from `want`, or nothing ("") when every element satisfies |got - want| <= atol + rtol |want|.
///
/// Integers and booleans must be equal; NaN matches NaN, an infinity the same infinity; the sign of a zero does not matter.
/// Shapes and kinds must be the same; dtypes are the caller's business.
std::string difference(const TensorData& got, const TensorData& want, double rtol, double atol);

}  // namespace burn::conformance
