// Rows accumulated side by side: lane i of a vector is an element of row i. Tiles of as many elements of each row are brought
// into that form, and the results back, by transposing them in registers.
#pragma once

#include <burn/backends/ndarray/movement/transpose_lanes.h>
#include <burn/backends/ndarray/reduction/scan_kernels.h>

namespace burn::ndarray {
namespace {

/// Running values of as many rows as a vector of T has lanes.
template <class T, class Combine, int kBytes>
struct Accumulator {
    using Vector = Lanes<T, kBytes>;

    Vector running = Vector{} + static_cast<T>(Combine::kStart);

    [[gnu::always_inline]] Vector next(Vector values) { return running = Combine::apply(running, values); }
    [[gnu::always_inline]] T next(int row, T value) {
        return running[row] = Combine::template apply<T>(running[row], value);
    }
};

/// The lower or the upper lanes of a vector, in f64.
template <int kBytes, bool kUpper>
[[gnu::always_inline]] inline Lanes<double, kBytes> widen(Lanes<float, kBytes> x) {
#if defined(__AVX2__)
    if constexpr (kBytes == 32)
        return _mm256_cvtps_pd(kUpper ? _mm256_extractf128_ps(x, 1) : _mm256_castps256_ps128(x));
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16) return _mm_cvtps_pd(kUpper ? _mm_movehl_ps(x, x) : x);
#endif
    constexpr int kCount = LanesOf<double, kBytes>::kCount;
    Lanes<double, kBytes> wide{};
    for (int i = 0; i < kCount; ++i) wide[i] = static_cast<double>(x[kUpper ? kCount + i : i]);
    return wide;
}

/// The lanes of two vectors, rounded to f32.
template <int kBytes>
[[gnu::always_inline]] inline Lanes<float, kBytes> narrow(Lanes<double, kBytes> lower, Lanes<double, kBytes> upper) {
#if defined(__AVX2__)
    if constexpr (kBytes == 32) return _mm256_set_m128(_mm256_cvtpd_ps(upper), _mm256_cvtpd_ps(lower));
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16) return _mm_movelh_ps(_mm_cvtpd_ps(lower), _mm_cvtpd_ps(upper));
#endif
    constexpr int kCount = LanesOf<double, kBytes>::kCount;
    Lanes<float, kBytes> x{};
    for (int i = 0; i < kCount; ++i) {
        x[i] = static_cast<float>(lower[i]);
        x[kCount + i] = static_cast<float>(upper[i]);
    }
    return x;
}

/// The same in f64.
template <class Combine, int kBytes>
struct Accumulator<float, Combine, kBytes> {
    using Vector = Lanes<float, kBytes>;
    using Half = Lanes<double, kBytes>;
    static constexpr int kCount = LanesOf<double, kBytes>::kCount;

    Half lower = Half{} + Combine::kStart;
    Half upper = Half{} + Combine::kStart;

    [[gnu::always_inline]] Vector next(Vector values) {
        lower = Combine::apply(lower, widen<kBytes, false>(values));
        upper = Combine::apply(upper, widen<kBytes, true>(values));
        return narrow<kBytes>(lower, upper);
    }
    [[gnu::always_inline]] float next(int row, float value) {
        Half& half = row < kCount ? lower : upper;
        const double next = Combine::template apply<double>(half[row % kCount], static_cast<double>(value));
        half[row % kCount] = next;
        return static_cast<float>(next);
    }
};

/// As many rows as a vector has lanes.
template <class T, class Combine, int kBytes>
[[gnu::always_inline]] inline void accumulate_lanes(std::byte* to, std::int64_t to_step, const std::byte* from,
                                                    std::int64_t from_step, std::int64_t count) {
    using Tile = TransposeTile<T, kBytes>;
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    Accumulator<T, Combine, kBytes> accumulator;
    std::int64_t j = 0;
    for (; j + Tile::kSide <= count; j += Tile::kSide) {
        typename Tile::Vector tile[Tile::kSide];
        Tile::load(tile, from + j * kSize, from_step);
        Tile::transpose(tile);
#pragma GCC unroll 16
        for (int i = 0; i < Tile::kSide; ++i) tile[i] = accumulator.next(tile[i]);
        Tile::transpose(tile);
        Tile::store(to + j * kSize, to_step, tile);
    }
    for (; j < count; ++j) {
        for (int row = 0; row < Tile::kSide; ++row) {
            *reinterpret_cast<T*>(to + row * to_step + j * kSize) =
                accumulator.next(row, *reinterpret_cast<const T*>(from + row * from_step + j * kSize));
        }
    }
}

/// All rows: the last vector of them overlaps its neighbour.
template <class T, class Combine, int kBytes = kWidestLanes>
void accumulate_rows(const ScanRows& all) {
    constexpr std::int64_t kSide = LanesOf<T, kBytes>::kCount;
    if constexpr (kBytes > 16) {
        if (all.rows < kSide) return accumulate_rows<T, Combine, kBytes / 2>(all);
    }
    for (std::int64_t first = 0; first < all.rows; first += kSide) {
        const std::int64_t row = first + kSide <= all.rows ? first : all.rows - kSide;
        accumulate_lanes<T, Combine, kBytes>(all.to + row * all.to_step, all.to_step, all.from + row * all.from_step,
                                             all.from_step, all.count);
    }
}

template <class T>
constexpr ScanKernels<T> make_scan_kernels() {
    return {accumulate_rows<T, Plus>, accumulate_rows<T, Times>};
}

}  // namespace
}  // namespace burn::ndarray
