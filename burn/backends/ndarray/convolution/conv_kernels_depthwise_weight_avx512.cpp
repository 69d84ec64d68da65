// Weight gradients of depthwise convolutions for AVX-512.
#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_weight_rows.h>

namespace burn::ndarray {

DepthwiseWeight<float> depthwise_weight_avx512(float) { return add_depthwise_weight<float>; }

DepthwiseWeight<double> depthwise_weight_avx512(double) { return add_depthwise_weight<double>; }

}  // namespace burn::ndarray
