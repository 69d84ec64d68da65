// Gradients exist on an AutodiffBackend only.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
using B = burn::NdArray;
#else
using B = burn::Autodiff<burn::NdArray>;
#endif

void train(const burn::Tensor<B, 2>& x) { burn::Gradients gradients = x.backward(); }
