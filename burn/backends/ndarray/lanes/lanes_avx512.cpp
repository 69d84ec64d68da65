// Kernels in vectors for AVX-512.
#include <burn/backends/ndarray/movement/transpose_lanes.h>
#include <burn/backends/ndarray/pool/pool_lanes.h>
#include <burn/backends/ndarray/random/random_lanes.h>
#include <burn/backends/ndarray/reduction/extremum_lanes.h>
#include <burn/backends/ndarray/reduction/scan_lanes.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels_avx512() {
    static constexpr TransposeKernels kernels = make_transpose_kernels();
    return kernels;
}

template <class T>
const ScanKernels<T>& scan_kernels_avx512() {
    static constexpr ScanKernels<T> kernels = make_scan_kernels<T>();
    return kernels;
}

template const ScanKernels<float>& scan_kernels_avx512();
template const ScanKernels<double>& scan_kernels_avx512();
template const ScanKernels<std::uint32_t>& scan_kernels_avx512();
template const ScanKernels<std::uint64_t>& scan_kernels_avx512();

const PoolKernels<float>& pool_kernels_avx512(float) {
    static constexpr PoolKernels<float> kernels = make_pool_kernels<float>();
    return kernels;
}

const PoolKernels<double>& pool_kernels_avx512(double) {
    static constexpr PoolKernels<double> kernels = make_pool_kernels<double>();
    return kernels;
}

const ExtremumKernels<float>& extremum_kernels_avx512(float) {
    static constexpr ExtremumKernels<float> kernels = make_extremum_kernels<float>();
    return kernels;
}

const ExtremumKernels<double>& extremum_kernels_avx512(double) {
    static constexpr ExtremumKernels<double> kernels = make_extremum_kernels<double>();
    return kernels;
}

const RandomKernels& random_kernels_avx512() {
    static constexpr RandomKernels kernels = make_random_kernels();
    return kernels;
}

}  // namespace burn::ndarray
