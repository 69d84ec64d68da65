// Attention kernels for AVX2 and FMA.
#include <burn/backends/ndarray/attention/attention_microkernel.h>

namespace burn::ndarray {

const AttentionKernels<float>& attention_kernels_avx2(float) {
    static constexpr AttentionKernels<float> kernels = make_attention_kernels<float>();
    return kernels;
}

const AttentionKernels<double>& attention_kernels_avx2(double) {
    static constexpr AttentionKernels<double> kernels = make_attention_kernels<double>();
    return kernels;
}

}  // namespace burn::ndarray
