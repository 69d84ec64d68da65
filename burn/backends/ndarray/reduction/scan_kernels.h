#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace burn::ndarray {

/// The two operations that accumulate, on numbers and on vectors of them.
struct Plus {
    static constexpr int kStart = 0;
    template <class V>
    static V apply(V running, V value) {
        return running + value;
    }
};

struct Times {
    static constexpr int kStart = 1;
    template <class V>
    static V apply(V running, V value) {
        return running * value;
    }
};

/// Rows to accumulate, the elements of each side by side.
///
/// Units    steps from row to row, in bytes
struct ScanRows {
    std::byte* to;
    std::int64_t to_step;
    const std::byte* from;
    std::int64_t from_step;
    std::int64_t rows;
    std::int64_t count;  ///< of elements in a row
    bool streams;        ///< write past the caches where that is possible
};

/// Fewer rows than this are no work for ScanKernels.
constexpr std::int64_t kLeastScanRows = 4;

/// What an instruction set offers to cumulative sums and products, for f32, f64, u32 and u64 (signed integers wrap alike).
///
/// Numerics  every row is accumulated from its first element on, f32 in f64: the same bits on every instruction set
template <class T>
struct ScanKernels {
    void (*sum)(const ScanRows& rows);
    void (*product)(const ScanRows& rows);
};

/// The kernels of the active instruction set (cpu_features.h).
template <class T>
const ScanKernels<T>& scan_kernels();

// One source file per instruction set defines its own; those of other processors do not exist.
template <class T>
const ScanKernels<T>& scan_kernels_baseline();
template <class T>
const ScanKernels<T>& scan_kernels_avx2();
template <class T>
const ScanKernels<T>& scan_kernels_avx512();

}  // namespace burn::ndarray
