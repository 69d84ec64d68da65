// Matrix product kernels for AVX-512.
#include <burn/backends/ndarray/gemm_microkernel.h>

namespace burn::ndarray {

const GemmKernels<float>& gemm_kernels_avx512(float) {
    static constexpr GemmKernels<float> kernels = make_gemm_kernels<float>(320, 336, 3072);
    return kernels;
}

const GemmKernels<double>& gemm_kernels_avx512(double) {
    static constexpr GemmKernels<double> kernels = make_gemm_kernels<double>(320, 168, 1536);
    return kernels;
}

}  // namespace burn::ndarray
