#pragma once

#include <cstdint>

namespace burn::ndarray {

/// What an instruction set offers to reductions of packed rows of f32 and f64. A NaN among the elements is the extremum;
/// of nothing it is infinite.
template <class T>
struct ExtremumKernels {
    T (*largest)(const T* row, std::int64_t count);
    T (*smallest)(const T* row, std::int64_t count);

    /// Where the first extremum of count > 0 elements is; the first NaN where there is one.
    std::int64_t (*place_of_largest)(const T* row, std::int64_t count);
    std::int64_t (*place_of_smallest)(const T* row, std::int64_t count);
};

/// The kernels of the active instruction set (cpu_features.h).
template <class T>
const ExtremumKernels<T>& extremum_kernels();

// One source file per instruction set defines its pair; those of other processors do not exist.
const ExtremumKernels<float>& extremum_kernels_baseline(float);
const ExtremumKernels<double>& extremum_kernels_baseline(double);
const ExtremumKernels<float>& extremum_kernels_avx2(float);
const ExtremumKernels<double>& extremum_kernels_avx2(double);
const ExtremumKernels<float>& extremum_kernels_avx512(float);
const ExtremumKernels<double>& extremum_kernels_avx512(double);

}  // namespace burn::ndarray
