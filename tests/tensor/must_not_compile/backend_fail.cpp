// Tensors of different backends do not mix.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
using Other = burn::Autodiff<burn::NdArray>;
#else
using Other = burn::NdArray;
#endif

auto subtract(const burn::Tensor<burn::NdArray, 1>& a, const burn::Tensor<Other, 1>& b) { return a - b; }
