// The register tiles of convolution; see conv_kernels_table.h for what they compute.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/product/gemm_microkernel.h>

namespace burn::ndarray {
namespace {

// Rows and vectors of the product's tiles. Fewer rows in f64, which is used for checking gradients: every height costs compile
// time.
template <class T>
constexpr int kConvRows = sizeof(T) == 8 && kTileRows > 7 ? 7 : kTileRows;

#if defined(__AVX512F__)
// A core often shares its first cache and its loads with another thread: then the wide tile is 10 to 15 % faster on a Xeon, and
// alone no slower. It needs fewer loads for as many sums.
constexpr int kWideConvVectors = 3;
template <class T>
constexpr int kWideConvRows = sizeof(T) == 8 ? 7 : 9;
// How many taps ahead the image and the weights, which come from the second cache, are fetched.
constexpr int kTapsAhead = 6;
constexpr int kWeightsAhead = 16;
#else
constexpr int kWideConvVectors = kTileVectors;
template <class T>
constexpr int kWideConvRows = kConvRows<T>;
constexpr int kTapsAhead = 0;
constexpr int kWeightsAhead = 0;
#endif

// Rows and taps of the dot tile: rows * taps sums, and the vectors of dy or those of x beside one of the other.
constexpr int kDotRows = 4;
constexpr int kDotTaps = kVectorBytes == 64 ? 6 : 3;

#if defined(__AVX512F__)
constexpr bool kCanCompact = true;
constexpr bool kCompactsExactly = true;

// Writes the lanes of vectors whose bit is set, next to each other. What follows from the bits is computed once for many vectors.
template <class T>
class LaneCompactor {
public:
    [[gnu::always_inline]] explicit LaneCompactor(std::uint32_t bits)
        : count_(__builtin_popcount(bits)), chosen_(static_cast<Mask>(bits)),
          first_(static_cast<Mask>((1u << count_) - 1)) {}

    int count() const { return count_; }

    [[gnu::always_inline]] void store(T* to, Vector<T> value) const {
        if constexpr (sizeof(T) == 4) {
            _mm512_mask_storeu_ps(to, first_, _mm512_maskz_compress_ps(chosen_, value));
        } else {
            _mm512_mask_storeu_pd(to, first_, _mm512_maskz_compress_pd(chosen_, value));
        }
    }

private:
    using Mask = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
    int count_;
    Mask chosen_, first_;
};

// Lanes whose bit is not set are 0, and their memory is not read.
template <class T>
[[gnu::always_inline]] inline Vector<T> load_masked(const T* from, std::uint32_t bits) {
    if constexpr (sizeof(T) == 4)
        return _mm512_maskz_loadu_ps(static_cast<__mmask16>(bits), from);
    else
        return _mm512_maskz_loadu_pd(static_cast<__mmask8>(bits), from);
}
#else
#if defined(__AVX2__)
constexpr bool kCanCompact = true;
constexpr bool kCompactsExactly = false;

// For every set of 32-bit lanes, which lane goes where: a byte per lane.
struct LaneOrders {
    std::uint64_t of[256];
};

constexpr LaneOrders make_lane_orders() {
    LaneOrders orders{};
    for (unsigned bits = 0; bits < 256; ++bits) {
        int to = 0;
        for (unsigned lane = 0; lane < 8; ++lane) {
            if ((bits >> lane & 1) != 0) orders.of[bits] |= std::uint64_t{lane} << 8 * to++;
        }
    }
    return orders;
}

constexpr LaneOrders kLaneOrders = make_lane_orders();

// Writes the lanes of vectors whose bit is set, next to each other, and something behind them: whole vectors are stored, because
// masked stores are slow on many processors without AVX-512.
template <class T>
class LaneCompactor {
public:
    [[gnu::always_inline]] explicit LaneCompactor(std::uint32_t bits) : count_(__builtin_popcount(bits)) {
        // A 64-bit lane is two of 32 bits.
        if constexpr (sizeof(T) == 8) bits = (bits & 1) * 3 | (bits & 2) * 6 | (bits & 4) * 12 | (bits & 8) * 24;
        order_ = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kLaneOrders.of[bits])));
    }

    int count() const { return count_; }

    [[gnu::always_inline]] void store(T* to, Vector<T> value) const {
        const __m256 lanes = _mm256_permutevar8x32_ps(reinterpret_cast<__m256>(value), order_);
        ndarray::store<T>(to, reinterpret_cast<Vector<T>>(lanes));
    }

private:
    int count_;
    __m256i order_;
};
#else
constexpr bool kCanCompact = false;
constexpr bool kCompactsExactly = true;

template <class T>
class LaneCompactor {
public:
    explicit LaneCompactor(std::uint32_t) {}
    int count() const { return 0; }
    void store(T*, Vector<T>) const {}
};
#endif

// Lanes whose bit is not set are 0; their memory is read.
template <class T>
[[gnu::always_inline]] inline Vector<T> load_masked(const T* from, std::uint32_t bits) {
    using Word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    typedef Word Words __attribute__((vector_size(kVectorBytes)));
    Words lane_bits;
    for (int i = 0; i < kLanes<T>; ++i) lane_bits[i] = Word(1) << i;
    const Words chosen = ((static_cast<Word>(bits) - Words{}) & lane_bits) != 0;
    return reinterpret_cast<Vector<T>>(reinterpret_cast<Words>(load<T>(from)) & chosen);
}
#endif

// Those of several vectors, which are written one after the other.
template <class T, int Vectors>
struct Compactors {
    template <int... V>
    [[gnu::always_inline]] Compactors(const std::uint32_t* masks, std::integer_sequence<int, V...>)
        : of{LaneCompactor<T>(masks[V])...} {}

    [[gnu::always_inline]] void store(T* to, const Vector<T> (&values)[Vectors]) const {
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
            of[v].store(to, values[v]);
            to += of[v].count();
        });
    }

    LaneCompactor<T> of[Vectors];
};

template <class T, int Rows, int Vectors>
void conv_tile(int columns, int64_t taps, const T* a, const ConvTaps<T>& x, const T* begin, int64_t begin_stride, T* c,
               int64_t c_stride, const std::uint32_t* masks) {
    Vector<T> acc[Rows][Vectors];
    const auto each = [&](auto body) __attribute__((always_inline)) {
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            unroll<Vectors>([&](auto v) __attribute__((always_inline)) { body(r, v); });
        });
    };
    each([&](auto r, auto v)
             __attribute__((always_inline)) { __builtin_prefetch(c + r * c_stride + v * kLanes<T>, 1); });
    if (begin == nullptr) {
        each([&](auto r, auto v) __attribute__((always_inline)) { acc[r][v] = Vector<T>{}; });
    } else {
        each([&](auto r, auto v)
                 __attribute__((always_inline)) { acc[r][v] = load<T>(begin + r * begin_stride + v * kLanes<T>); });
    }
    accumulate_tile<T, Rows, Vectors>(
        taps, a, 1, Rows,
        [&](int64_t t) __attribute__((always_inline)) {
            if constexpr (kTapsAhead > 0 && Rows >= 4) {  // few sums take less time than asking
                const T* later = x.later + x.later_offsets[t];
                __builtin_prefetch(later);
                __builtin_prefetch(later + Vectors * kLanes<T> - 1);
                __builtin_prefetch(a + (t + kWeightsAhead) * Rows);
            }
            return x.x + x.offsets[t];
        },
        acc);
    if (kCanCompact && masks != nullptr) {
        const Compactors<T, Vectors> compactors(masks, std::make_integer_sequence<int, Vectors>{});
        unroll<Rows>([&](auto r) __attribute__((always_inline)) { compactors.store(c + r * c_stride, acc[r]); });
    } else {
        write_tile<T, Rows, Vectors>(acc, columns, c, c_stride, false);
    }
}

// Panels of one row at once: with the sums of one alone, most of the time would be waiting for the last one.
constexpr int kRowPanels = 4;

template <class T>
void conv_row(int64_t taps, const T* a, const T* x, const int64_t* offsets, T* c, const std::uint32_t* masks) {
    constexpr int vectors = kRowPanels * kTileVectors;
    Vector<T> acc[vectors];
    unroll<vectors>([&](auto v) __attribute__((always_inline)) { acc[v] = Vector<T>{}; });
    for (int64_t t = 0; t < taps; ++t) {
        const Vector<T> weight = broadcast<T>(a[t]);
        const T* from = x + offsets[t];
        unroll<vectors>([&](auto v) __attribute__((always_inline)) {
            acc[v] = multiply_add<T>(weight, load<T>(from + v * kLanes<T>), acc[v]);
        });
    }
    unroll<vectors>([&](auto v) __attribute__((always_inline)) {
        if (kCanCompact && masks != nullptr) {
            const LaneCompactor<T> compactor(masks[v]);
            compactor.store(c, acc[v]);
            c += compactor.count();
        } else {
            store<T>(c + v * kLanes<T>, acc[v]);
        }
    });
}

// The tiles of every shape, by vectors and rows; those of most vectors have fewer rows.
template <class T>
struct ConvTiles {
    void (*of[kWideConvVectors][kConvRows<T>])(int, int64_t, const T*, const ConvTaps<T>&, const T*, int64_t, T*,
                                               int64_t, const std::uint32_t*);
};

template <class T, int Vectors, int... R>
constexpr void fill_conv_tiles(ConvTiles<T>& tiles, std::integer_sequence<int, R...>) {
    ((tiles.of[Vectors - 1][R] = &conv_tile<T, R + 1, Vectors>), ...);
}

template <class T, int... V>
constexpr ConvTiles<T> make_conv_tiles(std::integer_sequence<int, V...>) {
    ConvTiles<T> tiles{};
    (fill_conv_tiles<T, V + 1>(tiles,
                               std::make_integer_sequence<int, (V < kTileVectors) ? kConvRows<T> : kWideConvRows<T>>{}),
     ...);
    return tiles;
}

template <class T>
void any_conv_tile(int rows, int columns, int64_t taps, const T* a, const ConvTaps<T>& x, const T* begin,
                   int64_t begin_stride, T* c, int64_t c_stride, const std::uint32_t* masks) {
    static constexpr ConvTiles<T> tiles = make_conv_tiles<T>(std::make_integer_sequence<int, kWideConvVectors>{});
    const int vectors = (columns + kLanes<T> - 1) / kLanes<T>;
    tiles.of[vectors - 1][rows - 1](columns, taps, a, x, begin, begin_stride, c, c_stride, masks);
}

template <class T>
void gather(int64_t taps, int panel, const T* x, const int64_t* offsets, T* to) {
    for (int64_t t = 0; t < taps; ++t, to += panel) {
        const T* from = x + offsets[t];
        for (int i = 0; i < panel; i += kLanes<T>) store<T>(to + i, load<T>(from + i));
    }
}

// A choice of lanes among those of two vectors, lane i being from[i] - from[0] of the first one or from[i] - second of the other.
template <class T>
class TwoVectors {
public:
    explicit TwoVectors(const T* const* from) : first_(from[0]), second_(from[0]) {
        constexpr auto vector = static_cast<std::uintptr_t>(kVectorBytes);
        bool has_second = false;
        for (int i = 0; i < kLanes<T>; ++i) {
            std::uintptr_t distance = address(from[i]) - address(first_);
            if (distance >= vector) {
                if (!has_second) second_ = from[i];
                has_second = true;
                distance = address(from[i]) - address(second_);
                if (distance >= vector) fits_ = false;
                distance += vector;
            }
            lanes_[i] = static_cast<Lane>(distance / sizeof(T));
        }
    }

    // Whether these two are enough.
    bool fits() const { return fits_; }

    void gather(int64_t taps, const int64_t* offsets, int64_t step, T* to) const {
        const T *first = first_, *second = second_;
#if defined(__AVX512F__)
        const __m512i lanes = _mm512_loadu_si512(lanes_);
        for (int64_t t = 0; t < taps; ++t, to += step) {
            const Vector<T> x = load<T>(first + offsets[t]), y = load<T>(second + offsets[t]);
            if constexpr (sizeof(T) == 4)
                store<T>(to, _mm512_permutex2var_ps(x, lanes, y));
            else
                store<T>(to, _mm512_permutex2var_pd(x, lanes, y));
        }
#elif defined(__AVX2__)
        // A 64-bit lane is two of 32 bits; the bit behind those that count says which vector.
        __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes_));
        const __m256 is_second = _mm256_castsi256_ps(
            sizeof(T) == 4 ? _mm256_slli_epi32(lanes, 28) : _mm256_shuffle_epi32(_mm256_slli_epi32(lanes, 29), 0xA0));
        if (sizeof(T) == 8) {
            lanes = _mm256_shuffle_epi32(_mm256_slli_epi32(lanes, 1), 0xA0);
            lanes = _mm256_add_epi32(lanes, _mm256_set1_epi64x(std::int64_t{1} << 32));
        }
        for (int64_t t = 0; t < taps; ++t, to += step) {
            const __m256 x = reinterpret_cast<__m256>(load<T>(first + offsets[t]));
            const __m256 y = reinterpret_cast<__m256>(load<T>(second + offsets[t]));
            const __m256 both =
                _mm256_blendv_ps(_mm256_permutevar8x32_ps(x, lanes), _mm256_permutevar8x32_ps(y, lanes), is_second);
            store<T>(to, reinterpret_cast<Vector<T>>(both));
        }
#else
        for (int64_t t = 0; t < taps; ++t, to += step) {
            for (int i = 0; i < kLanes<T>; ++i) {
                const auto lane = static_cast<int>(lanes_[i]);
                to[i] = lane < kLanes<T> ? first[offsets[t] + lane] : second[offsets[t] + lane - kLanes<T>];
            }
        }
#endif
    }

private:
    using Lane = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

    // The pieces may belong to different arrays.
    static std::uintptr_t address(const T* data) { return reinterpret_cast<std::uintptr_t>(data); }

    const T *first_, *second_;
    bool fits_ = true;
    Lane lanes_[kLanes<T>];
};

template <class T>
void gather_lanes(int64_t taps, const T* const* from, const int64_t* offsets, int64_t step, T* to) {
    const TwoVectors<T> vectors(from);
    if (vectors.fits()) return vectors.gather(taps, offsets, step, to);
    for (int64_t t = 0; t < taps; ++t, to += step) {
        for (int i = 0; i < kLanes<T>; ++i) to[i] = from[i][offsets[t]];
    }
}

template <class T, int Rows, int Taps>
void dot_tile(int64_t steps, const T* dy, int64_t dy_stride, const T* x, const int64_t* offsets, T* sums) {
    const T* from[Taps];
    Vector<T> acc[Taps][Rows];
    unroll<Taps>([&](auto t) __attribute__((always_inline)) {
        from[t] = x + offsets[t];
        unroll<Rows>([&](auto r)
                         __attribute__((always_inline)) { acc[t][r] = load<T>(sums + (t * Rows + r) * kLanes<T>); });
    });
    for (int64_t p = 0; p < steps * kLanes<T>; p += kLanes<T>) {
        // The smaller of the two sets of vectors stays in registers.
        if constexpr (Rows <= Taps) {
            Vector<T> left[Rows];
            unroll<Rows>([&](auto r) __attribute__((always_inline)) { left[r] = load<T>(dy + r * dy_stride + p); });
            unroll<Taps>([&](auto t) __attribute__((always_inline)) {
                const Vector<T> right = load<T>(from[t] + p);
                unroll<Rows>([&](auto r) __attribute__((always_inline)) {
                    acc[t][r] = multiply_add<T>(left[r], right, acc[t][r]);
                });
            });
        } else {
            Vector<T> right[Taps];
            unroll<Taps>([&](auto t) __attribute__((always_inline)) { right[t] = load<T>(from[t] + p); });
            unroll<Rows>([&](auto r) __attribute__((always_inline)) {
                const Vector<T> left = load<T>(dy + r * dy_stride + p);
                unroll<Taps>([&](auto t) __attribute__((always_inline)) {
                    acc[t][r] = multiply_add<T>(left, right[t], acc[t][r]);
                });
            });
        }
    }
    unroll<Taps>([&](auto t) __attribute__((always_inline)) {
        unroll<Rows>([&](auto r)
                         __attribute__((always_inline)) { store<T>(sums + (t * Rows + r) * kLanes<T>, acc[t][r]); });
    });
}

template <class T>
void dot_masked(int64_t steps, const T* dy, const T* x, const std::uint32_t* masks, T* sums) {
    Vector<T> acc = load<T>(sums);
    for (int64_t step = 0; step < steps; ++step) {
        const int64_t p = step * kLanes<T>;
        acc = multiply_add<T>(load<T>(dy + p), load_masked<T>(x + p, masks[step]), acc);
    }
    store<T>(sums, acc);
}

template <class T>
void pack_taps(int taps, int64_t steps, const T* x, const int64_t* offsets, const std::uint32_t* masks, T* panel) {
    constexpr int width = kTileVectors * kLanes<T>;
    for (int64_t step = 0; step < steps; ++step) {
        if (masks[step] == 0) continue;
        for (int first = 0; first < taps; first += kLanes<T>) {
            Vector<T> rows[kLanes<T>];
            for (int i = 0; i < kLanes<T>; ++i) {
                rows[i] = first + i < taps ? load_masked<T>(x + offsets[first + i] + step * kLanes<T>, masks[step])
                                           : Vector<T>{};
            }
            transpose<T>(rows);
            T* to = panel + first;
            for (int i = 0; i < kLanes<T>; ++i) {
                if ((masks[step] >> i & 1) == 0) continue;
                store<T>(to, rows[i]);
                to += width;
            }
        }
        panel += __builtin_popcount(masks[step]) * width;
    }
}

template <class T>
struct DotTiles {
    void (*of[kDotTaps][kDotRows])(int64_t, const T*, int64_t, const T*, const int64_t*, T*);
};

template <class T, int Taps, int... R>
constexpr void fill_dot_tiles(DotTiles<T>& tiles, std::integer_sequence<int, R...>) {
    ((tiles.of[Taps - 1][R] = &dot_tile<T, R + 1, Taps>), ...);
}

template <class T, int... N>
constexpr DotTiles<T> make_dot_tiles(std::integer_sequence<int, N...>) {
    DotTiles<T> tiles{};
    (fill_dot_tiles<T, N + 1>(tiles, std::make_integer_sequence<int, kDotRows>{}), ...);
    return tiles;
}

template <class T>
void any_dot_tile(int rows, int taps, int64_t steps, const T* dy, int64_t dy_stride, const T* x, const int64_t* offsets,
                  T* sums) {
    static constexpr DotTiles<T> tiles = make_dot_tiles<T>(std::make_integer_sequence<int, kDotTaps>{});
    tiles.of[taps - 1][rows - 1](steps, dy, dy_stride, x, offsets, sums);
}

template <class T>
void copy_rows(int64_t count, int64_t width, const T* from, int64_t from_stride, T* to, int64_t to_stride) {
    const int64_t whole = width / kLanes<T> * kLanes<T>;
    const int rest = static_cast<int>(width - whole);
    for (int64_t row = 0; row < count; ++row, from += from_stride, to += to_stride) {
        for (int64_t i = 0; i < whole; i += kLanes<T>) store<T>(to + i, load<T>(from + i));
        if (rest > 0) store_first<T>(to + whole, load_first<T>(from + whole, rest), rest);
    }
}

template <class T>
T sum_lanes(int64_t parts, const T* sums, int64_t part_stride) {
    Vector<T> total = load<T>(sums);
    for (int64_t i = 1; i < parts; ++i) total += load<T>(sums + i * part_stride);
    T lanes[kLanes<T>];
    store<T>(lanes, total);
    for (int half = kLanes<T> / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

template <class T>
constexpr ConvKernels<T> make_conv_kernels() {
    return {
        .narrow = {.max_rows = kConvRows<T>, .panel = kTileVectors * kLanes<T>},
        .wide = {.max_rows = kWideConvRows<T>, .panel = kWideConvVectors * kLanes<T>},
        .lanes = kLanes<T>,
        .row_panels = kRowPanels,
        .taps_ahead = kTapsAhead,
        .dot_rows = kDotRows,
        .dot_taps = kDotTaps,
        .can_compact = kCanCompact,
        .compacts_exactly = kCompactsExactly,
        .tile = any_conv_tile<T>,
        .row = conv_row<T>,
        .gather = gather<T>,
        .gather_lanes = gather_lanes<T>,
        .dot = any_dot_tile<T>,
        .dot_masked = dot_masked<T>,
        .pack_taps = pack_taps<T>,
        .copy_rows = copy_rows<T>,
        .sum_lanes = sum_lanes<T>,
    };
}

}  // namespace
}  // namespace burn::ndarray
