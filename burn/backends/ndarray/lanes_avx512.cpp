// Kernels in vectors for AVX-512.
#include <burn/backends/ndarray/transpose_lanes.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels_avx512() {
    static constexpr TransposeKernels kernels = make_transpose_kernels();
    return kernels;
}

}  // namespace burn::ndarray
