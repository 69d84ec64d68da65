// Kinds do not mix: cast first.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
using Kind = burn::Int;
#else
using Kind = burn::Float;
#endif

auto multiply(const burn::Tensor<burn::NdArray, 2>& a, const burn::Tensor<burn::NdArray, 2, Kind>& b) {
    return a.mul(b);
}
