// Values of tensors as std::vector, for the tests of this folder.
#pragma once

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/tensor.h>

#include <vector>

namespace burn::test {

using A = Autodiff<NdArray>;

inline std::vector<double> values(const TensorData& data) {
    std::vector<double> result;
    for (std::int64_t i = 0; i < data.numel(); ++i) result.push_back(data.at(i));
    return result;
}

template <Backend B, std::size_t D, class K>
std::vector<double> values(const Tensor<B, D, K>& tensor) {
    return values(tensor.to_data());
}

/// 0, 1, 2, .. in a shape.
template <Backend B, std::size_t D>
Tensor<B, D> counting(Sizes<D> shape, double start = 0) {
    TensorData data(shape.shape(), DType::F32);
    for (float& value : data.mutable_values<float>()) value = static_cast<float>(start++);
    return Tensor<B, D>::from_data(data, Device<B>());
}

}  // namespace burn::test
