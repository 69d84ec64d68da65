// Matrix product kernels for AVX2 and FMA.
#include <burn/backends/ndarray/product/gemm_microkernel.h>

namespace burn::ndarray {

const GemmKernels<float>& gemm_kernels_avx2(float) {
    static constexpr GemmKernels<float> kernels = make_gemm_kernels<float>(320, 120, 3072, 120);
    return kernels;
}

const GemmKernels<double>& gemm_kernels_avx2(double) {
    static constexpr GemmKernels<double> kernels = make_gemm_kernels<double>(320, 60, 1536, 60);
    return kernels;
}

}  // namespace burn::ndarray
