// Matrix product kernels for AVX-512.
//
// Processors that have it have a second cache of 1 MB or more: it keeps B, whose panels stream past one tile of A at a time, so
// that C is walked along its rows (10 % faster at 1024 than the other way round). A deep tile is what the first cache still holds
// beside them: 512 rather than 384 take 0.97 of the time at 1024 on Zen 5.
#include <burn/backends/ndarray/product/gemm_microkernel.h>

namespace burn::ndarray {

const GemmKernels<float>& gemm_kernels_avx512(float) {
    static constexpr GemmKernels<float> kernels = make_gemm_kernels<float>(512, 14, 1024, 336);
    return kernels;
}

const GemmKernels<double>& gemm_kernels_avx512(double) {
    static constexpr GemmKernels<double> kernels = make_gemm_kernels<double>(320, 14, 512, 168);
    return kernels;
}

}  // namespace burn::ndarray
