// Convolution kernels for AVX2 and FMA.
#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_rows.h>
#include <burn/backends/ndarray/convolution/conv_kernels_microkernel.h>

namespace burn::ndarray {

const ConvKernels<float>& conv_kernels_avx2(float) {
    static constexpr ConvKernels<float> kernels = make_conv_kernels<float>();
    return kernels;
}

const ConvKernels<double>& conv_kernels_avx2(double) {
    static constexpr ConvKernels<double> kernels = make_conv_kernels<double>();
    return kernels;
}

const DepthwiseKernels<float>& depthwise_kernels_avx2(float) {
    static constexpr DepthwiseKernels<float> kernels = make_depthwise_kernels<float>();
    return kernels;
}

const DepthwiseKernels<double>& depthwise_kernels_avx2(double) {
    static constexpr DepthwiseKernels<double> kernels = make_depthwise_kernels<double>();
    return kernels;
}

}  // namespace burn::ndarray
