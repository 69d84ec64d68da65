// Transposing copies in tiles that fit the vector registers.
//
// A tile of as many rows as a vector has lanes is transposed by exchanges among pairs of vectors: first of elements within
// 16 bytes, then of whole 16 bytes. Tiles at the edges overlap their neighbours rather than leaving elements over.
#pragma once

#include <burn/backends/ndarray/lanes/lanes.h>
#include <burn/backends/ndarray/movement/transpose_kernels.h>

namespace burn::ndarray {
namespace {

constexpr std::int64_t kCacheLine = 64;

/// In every 16 bytes, elements of a and b in turn: of their lower halves, or of their upper halves.
template <int kInSixteen, int kCount, bool kUpper>
struct Zip {
    static constexpr int at(int i) {
        const int within = i % kInSixteen;
        return i - within + (kUpper ? kInSixteen / 2 : 0) + within / 2 + within % 2 * kCount;
    }
};

/// Blocks of a that stay, and of b that come in their place; or the other way round.
template <int kBlock, int kCount, bool kUpper>
struct Exchange {
    static constexpr int at(int i) {
        const bool odd = i / kBlock % 2 != 0;
        if (kUpper) return odd ? kCount + i : i + kBlock;
        return odd ? kCount + i - kBlock : i;
    }
};

template <class Word, int kBytes>
struct TransposeTile {
    using Vector = Lanes<Word, kBytes>;
    static constexpr int kSide = LanesOf<Word, kBytes>::kCount;
    static constexpr int kInSixteen = 16 / static_cast<int>(sizeof(Word));

    [[gnu::always_inline]] static void load(Vector (&rows)[kSide], const std::byte* from, std::int64_t step) {
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) rows[i] = load_lanes<kBytes>(reinterpret_cast<const Word*>(from + i * step));
    }

    /// Asks for the lines of a tile; they need not be there at all.
    [[gnu::always_inline]] static void prefetch(const std::byte* from, std::int64_t step) {
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) __builtin_prefetch(from + i * step);
    }

    [[gnu::always_inline]] static void store(std::byte* to, std::int64_t step, const Vector (&rows)[kSide]) {
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) store_lanes<kBytes>(reinterpret_cast<Word*>(to + i * step), rows[i]);
    }

    /// Past the caches; rows of the target start at multiples of kBytes.
    [[gnu::always_inline]] static void stream(std::byte* to, std::int64_t step, const Vector (&rows)[kSide]) {
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) stream_row(to + i * step, rows[i]);
    }

    [[gnu::always_inline]] static void transpose(Vector (&rows)[kSide]) {
        transpose_within<kBytes>(rows);
        if constexpr (kBytes >= 64) exchange<2 * kInSixteen>(rows);
    }

    /// Only the blocks of kPart bytes on both sides: what is in the lower of two and what is in the upper stays there.
    template <int kPart>
    [[gnu::always_inline]] static void transpose_within(Vector (&rows)[kSide]) {
#pragma GCC unroll 4
        for (int done = 1; done < kInSixteen; done *= 2) zip(rows);
        if constexpr (kPart >= 32) exchange<kInSixteen>(rows);
    }

private:
    [[gnu::always_inline]] static void zip(Vector (&rows)[kSide]) {
        Vector zipped[kSide];
#pragma GCC unroll 16
        for (int first = 0; first < kSide; first += kInSixteen) {
#pragma GCC unroll 8
            for (int i = 0; i < kInSixteen / 2; ++i) {
                const Vector a = rows[first + i];
                const Vector b = rows[first + i + kInSixteen / 2];
                zipped[first + 2 * i] = shuffle_lanes<Zip<kInSixteen, kSide, false>, kBytes, Word>(a, b);
                zipped[first + 2 * i + 1] = shuffle_lanes<Zip<kInSixteen, kSide, true>, kBytes, Word>(a, b);
            }
        }
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) rows[i] = zipped[i];
    }

    template <int kBlock>
    [[gnu::always_inline]] static void exchange(Vector (&rows)[kSide]) {
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) {
            if (i / kBlock % 2 != 0) continue;
            const Vector a = rows[i];
            const Vector b = rows[i + kBlock];
            rows[i] = shuffle_lanes<Exchange<kBlock, kSide, false>, kBytes, Word>(a, b);
            rows[i + kBlock] = shuffle_lanes<Exchange<kBlock, kSide, true>, kBytes, Word>(a, b);
        }
    }

    [[gnu::always_inline]] static void stream_row(std::byte* to, Vector row) {
#if defined(__AVX512F__)
        if constexpr (kBytes == 64) return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)row);
#endif
#if defined(__AVX2__)
        if constexpr (kBytes == 32) return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)row);
#endif
        store_lanes<kBytes>(reinterpret_cast<Word*>(to), row);
    }
};

/// The whole matrix: strips of rows that fill whole lines of the target, in each the tiles of a few columns after the others.
template <class Word, bool kStream>
void transpose_words(const Transpose& m) {
    // Registers hold tiles of 16 by 16 elements, not of 32 by 32.
    using Tile = TransposeTile<Word, sizeof(Word) < 4 ? 16 : kVectorBytes>;
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(Word));
    // Lines of a row are written best several at a time: where rows are powers of two apart, the same lines of many rows compete
    // for places in the caches, and processors fetch neighbours faster than lines far apart.
    constexpr bool kWholeLines = sizeof(typename Tile::Vector) == kCacheLine;
    constexpr int kLines = sizeof(typename Tile::Vector) == 16 ? 1 : kWholeLines && !kStream ? 4 : 8;
    constexpr std::int64_t kStrip = kCacheLine / kSize * kLines;
    // What does not fit the caches comes from far away, out of the order in which processors look ahead.
    constexpr std::int64_t kAhead = 2 * kCacheLine;
    const auto clamp = [](std::int64_t first, std::int64_t size) {
        return first + Tile::kSide <= size ? first : size - Tile::kSide;
    };
    for (std::int64_t strip = 0; strip < m.rows; strip += kStrip) {
        const std::int64_t end = strip + kStrip < m.rows ? strip + kStrip : m.rows;
        for (std::int64_t first = 0; first < m.columns; first += Tile::kSide) {
            const std::int64_t column = clamp(first, m.columns);
            for (std::int64_t tile = strip; tile < end; tile += Tile::kSide) {
                const std::int64_t row = clamp(tile, m.rows);
                std::byte* to = m.to + column * m.to_step + row * kSize;
                const std::byte* from = m.from + row * m.from_step + column * kSize;
                typename Tile::Vector rows[Tile::kSide];
                if (kStream) Tile::prefetch(from + kAhead, m.from_step);
                Tile::load(rows, from, m.from_step);
                Tile::transpose(rows);
                if (kStream && row == tile)
                    Tile::stream(to, m.to_step, rows);
                else
                    Tile::store(to, m.to_step, rows);
            }
        }
    }
}

inline void transpose_cached(std::size_t element_size, const Transpose& matrix) {
    switch (element_size) {
        case 1: return transpose_words<std::uint8_t, false>(matrix);
        case 2: return transpose_words<std::uint16_t, false>(matrix);
        case 4: return transpose_words<std::uint32_t, false>(matrix);
        default: return transpose_words<std::uint64_t, false>(matrix);
    }
}

inline void transpose_streamed(std::size_t element_size, const Transpose& matrix) {
#if defined(__AVX2__)
    const auto at = reinterpret_cast<std::uintptr_t>(matrix.to) | static_cast<std::uintptr_t>(matrix.to_step);
    if (at % kCacheLine == 0 && element_size >= 4) {
        if (element_size == 4) transpose_words<std::uint32_t, true>(matrix);
        if (element_size == 8) transpose_words<std::uint64_t, true>(matrix);
        return _mm_sfence();
    }
#endif
    transpose_cached(element_size, matrix);
}

constexpr TransposeKernels make_transpose_kernels() { return {transpose_cached, transpose_streamed}; }

}  // namespace
}  // namespace burn::ndarray
