// Which instruction set the kernels in vectors are taken from.
#include <burn/backends/ndarray/movement/transpose_kernels.h>
#include <burn/backends/ndarray/pool/pool_kernels.h>
#include <burn/backends/ndarray/random/random_kernels.h>
#include <burn/backends/ndarray/reduction/extremum_kernels.h>
#include <burn/backends/ndarray/reduction/scan_kernels.h>
#include <burn/base/cpu_features.h>

namespace burn::ndarray {

const TransposeKernels& transpose_kernels() {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) return transpose_kernels_avx512();
    if (active_isa() == Isa::Avx2) return transpose_kernels_avx2();
#endif
    return transpose_kernels_baseline();
}

const RandomKernels& random_kernels() {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) return random_kernels_avx512();
    if (active_isa() == Isa::Avx2) return random_kernels_avx2();
#endif
    return random_kernels_baseline();
}

template <class T>
const ScanKernels<T>& scan_kernels() {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) return scan_kernels_avx512<T>();
    if (active_isa() == Isa::Avx2) return scan_kernels_avx2<T>();
#endif
    return scan_kernels_baseline<T>();
}

template const ScanKernels<float>& scan_kernels();
template const ScanKernels<double>& scan_kernels();
template const ScanKernels<std::uint32_t>& scan_kernels();
template const ScanKernels<std::uint64_t>& scan_kernels();

template <class T>
const PoolKernels<T>& pool_kernels() {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) return pool_kernels_avx512(T());
    if (active_isa() == Isa::Avx2) return pool_kernels_avx2(T());
#endif
    return pool_kernels_baseline(T());
}

template const PoolKernels<float>& pool_kernels();
template const PoolKernels<double>& pool_kernels();

template <class T>
const ExtremumKernels<T>& extremum_kernels() {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) return extremum_kernels_avx512(T());
    if (active_isa() == Isa::Avx2) return extremum_kernels_avx2(T());
#endif
    return extremum_kernels_baseline(T());
}

template const ExtremumKernels<float>& extremum_kernels();
template const ExtremumKernels<double>& extremum_kernels();

}  // namespace burn::ndarray
