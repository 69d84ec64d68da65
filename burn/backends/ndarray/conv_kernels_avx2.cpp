// Convolution kernels for AVX2 and FMA.
#include <burn/backends/ndarray/conv_kernels_depthwise_rows.h>
#include <burn/backends/ndarray/conv_kernels_microkernel.h>

namespace burn::ndarray {

const ConvKernels<float>& conv_kernels_avx2(float) {
    static constexpr ConvKernels<float> kernels = make_conv_kernels<float>();
    return kernels;
}

const ConvKernels<double>& conv_kernels_avx2(double) {
    static constexpr ConvKernels<double> kernels = make_conv_kernels<double>();
    return kernels;
}

Rows3x3<float> rows_3x3_avx2(float) { return compute_rows_3x3<float>; }
Rows3x3<double> rows_3x3_avx2(double) { return compute_rows_3x3<double>; }

}  // namespace burn::ndarray
