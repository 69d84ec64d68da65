// A permutation names every axis.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

auto turn(const burn::Tensor<burn::NdArray, 3>& x) {
#ifdef MUST_NOT_COMPILE
    return x.permute({1, 0});
#else
    return x.permute({1, 0, 2});
#endif
}
