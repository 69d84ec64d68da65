#pragma once

#include <burn/core/convert.h>
#include <burn/tensor/tensor.h>

#include <vector>

/// Reads into containers of the standard library; builds for bare metal use `to_data`.

namespace burn {

/// The values in row-major order, converted to `T`.
///
/// Example   std::vector<float> scores = to_vector<float>(logits);
template <Element T, Backend B, std::size_t D, TensorKind K>
std::vector<T> to_vector(const Tensor<B, D, K>& tensor) {
    const TensorData data = tensor.to_data().convert(dtype_of<T>);
    const std::span<const T> values = data.values<T>();
    return std::vector<T>(values.begin(), values.end());
}

}  // namespace burn
