// Kernels in vectors for AVX-512.
#include <burn/backends/ndarray/movement/transpose_lanes.h>
#include <burn/backends/ndarray/random/random_lanes.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels_avx512() {
    static constexpr TransposeKernels kernels = make_transpose_kernels();
    return kernels;
}

const RandomKernels& random_kernels_avx512() {
    static constexpr RandomKernels kernels = make_random_kernels();
    return kernels;
}

}  // namespace burn::ndarray
