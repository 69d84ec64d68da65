// Which instruction set the kernels in vectors are taken from.
#include <burn/backends/ndarray/transpose_kernels.h>
#include <burn/base/cpu_features.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels() {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) return transpose_kernels_avx512();
    if (active_isa() == Isa::Avx2) return transpose_kernels_avx2();
#endif
    return transpose_kernels_baseline();
}

}  // namespace burn::ndarray
