// Convolution kernels for the compiler's default target: SSE2, NEON or SIMD128.
#include <burn/backends/ndarray/conv_kernels_depthwise_rows.h>
#include <burn/backends/ndarray/conv_kernels_microkernel.h>

namespace burn::ndarray {

const ConvKernels<float>& conv_kernels_baseline(float) {
    static constexpr ConvKernels<float> kernels = make_conv_kernels<float>();
    return kernels;
}

const ConvKernels<double>& conv_kernels_baseline(double) {
    static constexpr ConvKernels<double> kernels = make_conv_kernels<double>();
    return kernels;
}

Rows3x3<float> rows_3x3_baseline(float) { return compute_rows_3x3<float>; }
Rows3x3<double> rows_3x3_baseline(double) { return compute_rows_3x3<double>; }

}  // namespace burn::ndarray
