// Extrema of packed rows in vectors. The extremum of those that are no NaN and whether there is one are kept apart: three
// operations a vector.
#pragma once

#include <burn/backends/ndarray/lanes/lanes.h>
#include <burn/backends/ndarray/reduction/extremum_kernels.h>

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

/// The place among `count` elements from `begin` on.
template <bool kLargest, class T>
std::int64_t place_by_elements(const T* row, std::int64_t begin, std::int64_t count) {
    std::int64_t place = begin;
    for (std::int64_t i = begin; i < count; ++i) {
        if (row[i] != row[i]) return i;
        if (kLargest ? row[i] > row[place] : row[i] < row[place]) place = i;
    }
    return place;
}

/// Every lane knows the extremum of its elements and in which group of vectors it first was. The first of those groups is
/// searched, so that a row is read once.
template <bool kLargest, class T>
std::int64_t place_of_extremum(const T* row, std::int64_t count) {
    using Vector = Lanes<T, kExtremumBytes>;
    using Groups = decltype(Vector{} < Vector{});
    constexpr int kCount = LanesOf<T, kExtremumBytes>::kCount;
    constexpr std::int64_t kGroup = 4 * kCount;
    if (count < kGroup) return place_by_elements<kLargest>(row, 0, count);

    Groups nan{};
    const auto extremum_of_group = [&](const T* from) __attribute__((always_inline)) {
        const Vector a = load_lanes<kExtremumBytes>(from), b = load_lanes<kExtremumBytes>(from + kCount);
        const Vector c = load_lanes<kExtremumBytes>(from + 2 * kCount),
                     d = load_lanes<kExtremumBytes>(from + 3 * kCount);
        nan |= (Groups)either_is_nan<kExtremumBytes, T>(a, b) | (Groups)either_is_nan<kExtremumBytes, T>(c, d);
        return better_of<kLargest>(better_of<kLargest>(a, b), better_of<kLargest>(c, d));
    };
    Vector best = extremum_of_group(row);
    Groups where{}, group{};
    std::int64_t i = kGroup;
    for (; i + kGroup <= count; i += kGroup) {
        group += 1;
        const Vector x = extremum_of_group(row + i);
        const Groups takes_over = kLargest ? x > best : x < best;
        best = takes_over ? x : best;
        where = takes_over ? group : where;
    }
    if (any_bit<kExtremumBytes>(nan)) return place_by_elements<kLargest>(row, 0, count);

    T extremum = best[0];
    std::int64_t first = where[0];
    for (int lane = 1; lane < kCount; ++lane) {
        if (best[lane] == extremum && where[lane] < first) first = where[lane];
        if (!(kLargest ? best[lane] > extremum : best[lane] < extremum)) continue;
        extremum = best[lane];
        first = where[lane];
    }
    if (i < count) {
        const std::int64_t rest = place_by_elements<kLargest>(row, i, count);
        if ((kLargest ? row[rest] > extremum : row[rest] < extremum) || row[rest] != row[rest]) return rest;
    }
    std::int64_t place = first * kGroup;
    while (row[place] != extremum) ++place;
    return place;
}

template <class T>
constexpr ExtremumKernels<T> make_extremum_kernels() {
    return {extremum_of_row<true, T>, extremum_of_row<false, T>, place_of_extremum<true, T>,
            place_of_extremum<false, T>};
}

}  // namespace
}  // namespace burn::ndarray
