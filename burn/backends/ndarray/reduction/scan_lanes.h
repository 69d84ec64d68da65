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
    using Tile = TransposeTile<T, kBytes>;
    using Vector = typename Tile::Vector;

    Vector running = Vector{} + static_cast<T>(Combine::kStart);

    /// As many elements of each row.
    [[gnu::always_inline]] void next(Vector (&rows)[Tile::kSide]) {
        Tile::transpose(rows);
#pragma GCC unroll 16
        for (Vector& values : rows) values = running = Combine::apply(running, values);
        Tile::transpose(rows);
    }
    [[gnu::always_inline]] T next(int row, T value) {
        return running[row] = Combine::template apply<T>(running[row], value);
    }
};

// Unmasked, g++ 12 warns of its own header; of conversions without intrinsics it makes several of 16 bytes each.
template <int kBytes>
[[gnu::always_inline]] inline Lanes<double, kBytes> to_f64(Lanes<float, kBytes / 2> x) {
#if defined(__AVX512F__)
    if constexpr (kBytes == 64) return _mm512_maskz_cvtps_pd(0xff, x);
#endif
#if defined(__AVX2__)
    if constexpr (kBytes == 32) return _mm256_cvtps_pd(x);
#endif
    return __builtin_convertvector(x, Lanes<double, kBytes>);
}

template <int kBytes>
[[gnu::always_inline]] inline Lanes<float, kBytes / 2> to_f32(Lanes<double, kBytes> x) {
#if defined(__AVX512F__)
    if constexpr (kBytes == 64) return _mm512_maskz_cvtpd_ps(0xff, x);
#endif
#if defined(__AVX2__)
    if constexpr (kBytes == 32) return _mm256_cvtpd_ps(x);
#endif
    return __builtin_convertvector(x, Lanes<float, kBytes / 2>);
}

/// The lower or the upper lanes of a vector, in f64.
template <int kBytes, bool kUpper>
[[gnu::always_inline]] inline Lanes<double, kBytes> widen(Lanes<float, kBytes> x) {
    constexpr int kCount = LanesOf<double, kBytes>::kCount;
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return to_f64<kBytes>(__builtin_shufflevector(x, x, (kUpper ? kCount + i : i)...));
    }(std::make_integer_sequence<int, kCount>{});
}

/// The lanes of two vectors.
template <int kBytes>
[[gnu::always_inline]] inline Lanes<float, kBytes> join(Lanes<float, kBytes / 2> lower,
                                                        Lanes<float, kBytes / 2> upper) {
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return __builtin_shufflevector(lower, upper, i...);
    }(std::make_integer_sequence<int, LanesOf<float, kBytes>::kCount>{});
}

/// The same in f64, in two halves.
template <class Combine, int kBytes>
struct Accumulator<float, Combine, kBytes> {
    using Tile = TransposeTile<float, kBytes>;
    using Vector = typename Tile::Vector;
    using Half = Lanes<double, kBytes>;
    static constexpr int kCount = LanesOf<double, kBytes>::kCount;

    Half halves[2] = {Half{} + Combine::kStart, Half{} + Combine::kStart};

    /// The last step of a transposition would only put together what is then taken apart. Without it the vectors of one half
    /// have its rows: in their lower lanes one of the first elements of each row, in the upper one of the later elements.
    [[gnu::always_inline]] void next(Vector (&rows)[Tile::kSide]) {
        if constexpr (kBytes == 16) {
            Tile::transpose(rows);
#pragma GCC unroll 4
            for (Vector& values : rows)
                values = join<kBytes>(next<false>(halves[0], values), next<true>(halves[1], values));
            Tile::transpose(rows);
        } else {
            Tile::template transpose_within<kBytes / 2>(rows);
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                Lanes<float, kBytes / 2> first[kCount];
#pragma GCC unroll 8
                for (int i = 0; i < kCount; ++i) first[i] = next<false>(halves[half], rows[half * kCount + i]);
#pragma GCC unroll 8
                for (int i = 0; i < kCount; ++i) {
                    Vector& values = rows[half * kCount + i];
                    values = join<kBytes>(first[i], next<true>(halves[half], values));
                }
            }
            Tile::template transpose_within<kBytes / 2>(rows);
        }
    }
    [[gnu::always_inline]] float next(int row, float value) {
        Half& half = halves[row / kCount];
        const double next = Combine::template apply<double>(half[row % kCount], static_cast<double>(value));
        half[row % kCount] = next;
        return static_cast<float>(next);
    }

private:
    /// With the lower or the upper lanes of `values`.
    template <bool kUpper>
    [[gnu::always_inline]] static Lanes<float, kBytes / 2> next(Half& running, Vector values) {
        running = Combine::apply(running, widen<kBytes, kUpper>(values));
        return to_f32<kBytes>(running);
    }
};

/// As many rows as a vector has lanes. To stream, rows of `to` start at multiples of kBytes.
template <class T, class Combine, int kBytes, bool kStream>
[[gnu::always_inline]] inline void accumulate_lanes(std::byte* to, std::int64_t to_step, const std::byte* from,
                                                    std::int64_t from_step, std::int64_t count) {
    using Tile = TransposeTile<T, kBytes>;
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    Accumulator<T, Combine, kBytes> accumulator;
    std::int64_t j = 0;
    for (; j + Tile::kSide <= count; j += Tile::kSide) {
        typename Tile::Vector tile[Tile::kSide];
        Tile::load(tile, from + j * kSize, from_step);
        accumulator.next(tile);
        if constexpr (kStream)
            Tile::stream(to + j * kSize, to_step, tile);
        else
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
template <class T, class Combine, int kBytes, bool kStream>
void accumulate_all(const ScanRows& all) {
    constexpr std::int64_t kSide = LanesOf<T, kBytes>::kCount;
    for (std::int64_t first = 0; first < all.rows; first += kSide) {
        const std::int64_t row = first + kSide <= all.rows ? first : all.rows - kSide;
        accumulate_lanes<T, Combine, kBytes, kStream>(all.to + row * all.to_step, all.to_step,
                                                      all.from + row * all.from_step, all.from_step, all.count);
    }
}

template <class T, class Combine, int kBytes = kVectorBytes>
void accumulate_rows(const ScanRows& all) {
    if constexpr (kBytes > 16) {
        if (all.rows < LanesOf<T, kBytes>::kCount) return accumulate_rows<T, Combine, kBytes / 2>(all);
    }
#if defined(__AVX2__)
    const auto at = reinterpret_cast<std::uintptr_t>(all.to) | static_cast<std::uintptr_t>(all.to_step);
    if (all.streams && at % kBytes == 0) {
        accumulate_all<T, Combine, kBytes, kBytes >= 32>(all);
        return _mm_sfence();
    }
#endif
    accumulate_all<T, Combine, kBytes, false>(all);
}

template <class T>
constexpr ScanKernels<T> make_scan_kernels() {
    return {accumulate_rows<T, Plus>, accumulate_rows<T, Times>};
}

}  // namespace
}  // namespace burn::ndarray
