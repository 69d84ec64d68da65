// A tensor lives on a backend.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
struct B {};
#else
using B = burn::NdArray;
#endif

burn::Tensor<B, 2>* none = nullptr;
