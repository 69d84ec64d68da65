// A shape has as many sizes as the tensor has axes.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

auto zeros(const burn::Device<burn::NdArray>& device) {
#ifdef MUST_NOT_COMPILE
    return burn::Tensor<burn::NdArray, 2>::zeros({2, 3, 4}, device);
#else
    return burn::Tensor<burn::NdArray, 2>::zeros({2, 3}, device);
#endif
}
