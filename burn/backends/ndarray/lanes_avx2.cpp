// Kernels in vectors for AVX2.
#include <burn/backends/ndarray/transpose_lanes.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels_avx2() {
    static constexpr TransposeKernels kernels = make_transpose_kernels();
    return kernels;
}

}  // namespace burn::ndarray
