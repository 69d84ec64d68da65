// Extrema of packed rows in vectors. The extremum of those that are no NaN and whether there is one are kept apart: three
// operations a vector.
#pragma once

#include <burn/backends/ndarray/extremum_kernels.h>
#include <burn/backends/ndarray/lanes.h>

#include <limits>

namespace burn::ndarray {
namespace {

constexpr int kExtremumBytes = kWidestLanes < 32 ? kWidestLanes : 32;

/// Vectors side by side, which wait for their own comparisons only.
constexpr int kExtremumVectors = 4;

template <bool kLargest, class V>
[[gnu::always_inline]] inline V better_of(V x, V best) {
    return (kLargest ? x > best : x < best) ? x : best;
}

template <bool kLargest, class T>
T extremum_of_row(const T* row, std::int64_t count) {
    using Vector = Lanes<T, kExtremumBytes>;
    constexpr int kCount = LanesOf<T, kExtremumBytes>::kCount;
    constexpr T kWorst = kLargest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    std::int64_t i = 0;
    T extremum = kWorst;
    bool has_nan = false;
    if (count >= kCount) {
        Vector best[kExtremumVectors];
        auto nan = Vector{} != Vector{};
        for (Vector& each : best) each = Vector{} + kWorst;
        const auto fold = [&](Vector& to, std::int64_t at) __attribute__((always_inline)) {
            const Vector x = load_lanes<kExtremumBytes>(row + at);
            to = better_of<kLargest>(x, to);
            nan |= x != x;
        };
        for (; i + kExtremumVectors * kCount <= count; i += kExtremumVectors * kCount) {
            for (int v = 0; v < kExtremumVectors; ++v) fold(best[v], i + v * kCount);
        }
        for (; i + kCount <= count; i += kCount) fold(best[0], i);
        for (int v = 1; v < kExtremumVectors; ++v) best[0] = better_of<kLargest>(best[v], best[0]);
        for (int lane = 0; lane < kCount; ++lane) {
            extremum = better_of<kLargest, T>(best[0][lane], extremum);
            has_nan = has_nan || nan[lane] != 0;
        }
    }
    for (; i < count; ++i) {
        extremum = better_of<kLargest, T>(row[i], extremum);
        has_nan = has_nan || row[i] != row[i];
    }
    return has_nan ? std::numeric_limits<T>::quiet_NaN() : extremum;
}

template <class T>
constexpr ExtremumKernels<T> make_extremum_kernels() {
    return {extremum_of_row<true, T>, extremum_of_row<false, T>};
}

}  // namespace
}  // namespace burn::ndarray
