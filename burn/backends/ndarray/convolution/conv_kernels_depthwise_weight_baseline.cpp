// Weight gradients of depthwise convolutions for what the compiler may assume everywhere.
#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_weight_rows.h>

namespace burn::ndarray {

DepthwiseWeight<float> depthwise_weight_baseline(float) { return add_depthwise_weight<float>; }

DepthwiseWeight<double> depthwise_weight_baseline(double) { return add_depthwise_weight<double>; }

}  // namespace burn::ndarray
