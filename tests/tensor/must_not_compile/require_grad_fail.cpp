// Integers have no gradient.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

using B = burn::Autodiff<burn::NdArray>;
#ifdef MUST_NOT_COMPILE
using Kind = burn::Int;
#else
using Kind = burn::Float;
#endif

auto mark(const burn::Tensor<B, 1, Kind>& x) { return x.require_grad(); }
