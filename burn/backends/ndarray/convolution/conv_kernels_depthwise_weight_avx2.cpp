// Weight gradients of depthwise convolutions for AVX2 and FMA.
#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_weight_rows.h>

namespace burn::ndarray {

DepthwiseWeight<float> depthwise_weight_avx2(float) { return add_depthwise_weight<float>; }

DepthwiseWeight<double> depthwise_weight_avx2(double) { return add_depthwise_weight<double>; }

}  // namespace burn::ndarray
