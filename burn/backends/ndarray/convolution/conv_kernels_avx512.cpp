// Convolution kernels for AVX-512.
#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_padded.h>
#include <burn/backends/ndarray/convolution/conv_kernels_microkernel.h>

namespace burn::ndarray {

const ConvKernels<float>& conv_kernels_avx512(float) {
    static constexpr ConvKernels<float> kernels = make_conv_kernels<float>();
    return kernels;
}

const ConvKernels<double>& conv_kernels_avx512(double) {
    static constexpr ConvKernels<double> kernels = make_conv_kernels<double>();
    return kernels;
}

PaddedDepthwise<float> padded_depthwise_avx512(float) { return depthwise_padded<float>; }
PaddedDepthwise<double> padded_depthwise_avx512(double) { return depthwise_padded<double>; }

}  // namespace burn::ndarray
