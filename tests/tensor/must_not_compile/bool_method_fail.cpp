// Nor do truth values have exponentials.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
using Kind = burn::Bool;
#else
using Kind = burn::Float;
#endif

auto exponential(const burn::Tensor<burn::NdArray, 1, Kind>& a) { return a.exp(); }
