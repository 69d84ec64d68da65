// Matrix product kernels for the compiler's default target: SSE2, NEON or SIMD128.
#include <burn/backends/ndarray/product/gemm_microkernel.h>

namespace burn::ndarray {

const GemmKernels<float>& gemm_kernels_baseline(float) {
    static constexpr GemmKernels<float> kernels = make_gemm_kernels<float>(256, 96, 3072, 96);
    return kernels;
}

const GemmKernels<double>& gemm_kernels_baseline(double) {
    static constexpr GemmKernels<double> kernels = make_gemm_kernels<double>(256, 48, 1536, 48);
    return kernels;
}

}  // namespace burn::ndarray
