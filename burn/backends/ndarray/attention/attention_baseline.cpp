// Attention kernels for the compiler's default target: SSE2, NEON or SIMD128.
#include <burn/backends/ndarray/attention/attention_microkernel.h>

namespace burn::ndarray {

const AttentionKernels<float>& attention_kernels_baseline(float) {
    static constexpr AttentionKernels<float> kernels = make_attention_kernels<float>();
    return kernels;
}

const AttentionKernels<double>& attention_kernels_baseline(double) {
    static constexpr AttentionKernels<double> kernels = make_attention_kernels<double>();
    return kernels;
}

}  // namespace burn::ndarray
