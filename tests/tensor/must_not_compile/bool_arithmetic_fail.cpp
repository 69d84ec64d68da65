// There is no arithmetic on truth values.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
using Kind = burn::Bool;
#else
using Kind = burn::Int;
#endif

auto add(const burn::Tensor<burn::NdArray, 1, Kind>& a) { return a + a; }
