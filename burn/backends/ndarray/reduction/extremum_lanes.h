// Extrema of packed rows in vectors. The extremum of those that are no NaN and whether there is one are kept apart: three
// operations a vector.
#pragma once

#include <burn/backends/ndarray/lanes/lanes.h>
#include <burn/backends/ndarray/reduction/extremum_kernels.h>

#include <limits>

namespace burn::ndarray {
namespace {

// Extrema without their places gain nothing from vectors of 64 bytes.
constexpr int kExtremumBytes = kVectorBytes < 32 ? kVectorBytes : 32;

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
/// searched, so that a row is read once. The last group overlaps the one before, which had what both have first.
template <bool kLargest, class T, int kBytes = kVectorBytes>
std::int64_t place_of_extremum(const T* row, std::int64_t count) {
    using Vector = Lanes<T, kBytes>;
    using Groups = decltype(Vector{} < Vector{});
    using Group = std::remove_cvref_t<decltype(Groups{}[0])>;
    constexpr int kCount = LanesOf<T, kBytes>::kCount;
    constexpr std::int64_t kGroup = 4 * kCount;
    if (count < kGroup) {
        if constexpr (kBytes > 16) return place_of_extremum<kLargest, T, kBytes / 2>(row, count);
        return place_by_elements<kLargest>(row, 0, count);
    }

    Vector best = Vector{} + row[0];
    Groups where{}, group{}, nan{};
    const auto fold = [&](const T* from) __attribute__((always_inline)) {
        const Vector a = load_lanes<kBytes>(from), b = load_lanes<kBytes>(from + kCount);
        const Vector c = load_lanes<kBytes>(from + 2 * kCount), d = load_lanes<kBytes>(from + 3 * kCount);
        nan |= (Groups)either_is_nan<kBytes, T>(a, b) | (Groups)either_is_nan<kBytes, T>(c, d);
        const Vector x = better_of<kLargest>(better_of<kLargest>(a, b), better_of<kLargest>(c, d));
        where = (kLargest ? x > best : x < best) ? group : where;
        best = better_of<kLargest>(best, x);  // not (x, best), which compilers let wait for the comparison above
        group += 1;
    };
    for (std::int64_t i = 0; i + kGroup <= count; i += kGroup) fold(row + i);
    if (count % kGroup != 0) fold(row + count - kGroup);
    if (any_bit<kBytes>(nan)) return place_by_elements<kLargest>(row, 0, count);

    const Vector extremum = across_lanes<kBytes, T>(
        best, [](Vector x, Vector y) __attribute__((always_inline)) { return better_of<kLargest>(x, y); });
    const Groups of_extremum = best == extremum ? where : group;
    const Group first = across_lanes<kBytes, Group>(
        of_extremum, [](Groups x, Groups y) __attribute__((always_inline)) { return x < y ? x : y; })[0];
    const std::int64_t start = first * kGroup + kGroup <= count ? first * kGroup : count - kGroup;
    std::uint64_t found = 0;
    for (int v = 0; v < 4; ++v) {
        const Groups equal = load_lanes<kBytes>(row + start + v * kCount) == extremum;
        found |= std::uint64_t{lane_bits<kBytes, Group>(equal)} << (v * kCount);
    }
    return start + __builtin_ctzll(found);
}

template <class T>
constexpr ExtremumKernels<T> make_extremum_kernels() {
    return {extremum_of_row<true, T>, extremum_of_row<false, T>, place_of_extremum<true, T>,
            place_of_extremum<false, T>};
}

}  // namespace
}  // namespace burn::ndarray
