// Kernels in vectors for the compiler's default target: SSE2, NEON, SIMD128 or none.
#include <burn/backends/ndarray/transpose_lanes.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels_baseline() {
    static constexpr TransposeKernels kernels = make_transpose_kernels();
    return kernels;
}

}  // namespace burn::ndarray
