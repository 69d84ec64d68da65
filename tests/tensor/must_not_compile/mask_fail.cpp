// A mask is a tensor of truth values.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
using Kind = burn::Int;
#else
using Kind = burn::Bool;
#endif

auto hide(const burn::Tensor<burn::NdArray, 2>& x, const burn::Tensor<burn::NdArray, 2, Kind>& mask) {
    return x.mask_fill(mask, 0);
}
