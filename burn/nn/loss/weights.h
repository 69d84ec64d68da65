#pragma once

#include <burn/base/small_vector.h>
#include <burn/core/tensor_data.h>

#include <optional>

namespace burn::nn::loss {

/// The weights of classes as data of F64; of one axis and nothing for none.
///
/// Errors    ArgumentError for a weight that is not positive; `loss` names the loss
TensorData weights_data(const char* loss, const std::optional<SmallVector<double, 1>>& weights);

}  // namespace burn::nn::loss
