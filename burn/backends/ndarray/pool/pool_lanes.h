// Windows side by side in vectors: lane i of a vector is an element of window i.
#pragma once

#include <burn/backends/ndarray/lanes/lanes.h>
#include <burn/backends/ndarray/pool/pool_kernels.h>
#include <burn/backends/ndarray/pool/pool_pairs.h>

#include <type_traits>

namespace burn::ndarray {
namespace {

// Windows begin anywhere in memory, where 64 bytes at a time are no faster; columns of planes are read in order.
constexpr int kPoolBytes = kVectorBytes < 32 ? kVectorBytes : 32;

/// Elements 0, 2, 4, .. of those from which a starts, where b starts one before a ends.
template <int kCount>
struct EverySecond {
    static constexpr int at(int i) { return 2 * i < kCount ? 2 * i : 2 * i + 1; }
};

/// x[0], x[kStride], .. for as many windows as there are lanes; reads nothing behind the last of them.
template <int kBytes, int kStride, class T>
[[gnu::always_inline]] inline Lanes<T, kBytes> load_windows(const T* x) {
    static_assert(kStride == 1 || kStride == 2);
    const Lanes<T, kBytes> front = load_lanes<kBytes>(x);
    if constexpr (kStride == 1) {
        return front;
    } else {
        constexpr int kCount = LanesOf<T, kBytes>::kCount;
        return shuffle_lanes<EverySecond<kCount>, kBytes, T>(front, load_lanes<kBytes>(x + kCount - 1));
    }
}

template <class T>
using PlaceOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Stores numbers of the size of T as 64 bits.
template <int kBytes, class Place>
[[gnu::always_inline]] inline void store_places(std::int64_t* to, Lanes<Place, kBytes> places) {
#if defined(__AVX2__)
    if constexpr (kBytes == 32 && sizeof(Place) == 4) {
        const __m256i all = (__m256i)places;
        store_lanes<32>(to, (Lanes<std::int64_t, 32>)_mm256_cvtepi32_epi64(_mm256_castsi256_si128(all)));
        store_lanes<32>(to + 4, (Lanes<std::int64_t, 32>)_mm256_cvtepi32_epi64(_mm256_extracti128_si256(all, 1)));
        return;
    }
#endif
    for (int lane = 0; lane < LanesOf<Place, kBytes>::kCount; ++lane) to[lane] = places[lane];
}

/// 0, kStep, 2 kStep, ..
template <int kBytes, int kStep, class T>
[[gnu::always_inline]] inline Lanes<T, kBytes> steps_of() {
    return []<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return Lanes<T, kBytes>{(kStep * i)...};
    }(std::make_integer_sequence<int, LanesOf<T, kBytes>::kCount>{});
}

/// Several vectors of windows together: each waits for its own comparisons only.
template <int kBytes, int kVectors, int kStride, class T>
[[gnu::always_inline]] inline void max_of_windows(const WindowRow<T>& row, std::int64_t j, std::int64_t place,
                                                  T* values, std::int64_t* places) {
    using Place = PlaceOf<T>;
    using Places = Lanes<Place, kBytes>;
    constexpr int kCount = LanesOf<T, kBytes>::kCount;
    const T* x = row.x + j * kStride;
    Lanes<T, kBytes> best[kVectors];
    Places where[kVectors];  // seen from the first element of the window
    for (int v = 0; v < kVectors; ++v) {
        best[v] = load_windows<kBytes, kStride>(x + v * kCount * kStride);
        where[v] = Places{};
    }
    for (std::int64_t r = 0; r < row.rows; ++r) {
        std::int64_t step = r * row.row_step;
        for (std::int64_t c = 0; c < row.columns; ++c, step += row.column_step) {
            const Places here = Places{} + static_cast<Place>(step);
            for (int v = 0; v < kVectors; ++v) {
                const Lanes<T, kBytes> value = load_windows<kBytes, kStride>(x + step + v * kCount * kStride);
                // Larger, or the first NaN: not(value <= best) holds for both, and for a NaN in best, which stays.
                const Places takes_over = ~(Places)(value <= best[v]) & (Places)(best[v] == best[v]);
                best[v] = takes_over ? value : best[v];
                where[v] = takes_over ? here : where[v];
            }
        }
    }
    for (int v = 0; v < kVectors; ++v) {
        store_lanes<kBytes>(values + j + v * kCount, best[v]);
        const std::int64_t first = place + (j + v * kCount) * kStride;
        store_places<kBytes, Place>(places + j + v * kCount,
                                    where[v] + steps_of<kBytes, kStride, Place>() + static_cast<Place>(first));
    }
}

/// Where columns 0, kPhases, .. go, and 1, kPhases + 1, ..
template <class T, int kPhases>
struct Phases {
    T* to[kPhases];
};

/// The largest of kPhases vectors of columns from c on, over kRows rows and, where this continues, what is there already.
/// Returns in which lanes there was a NaN.
template <int kBytes, int kPhases, int kRows, bool kContinues, class T>
[[gnu::always_inline]] inline auto maxima_of_columns(ColumnRows<T> rows, std::int64_t c, Phases<T, kPhases> phases) {
    using Vector = Lanes<T, kBytes>;
    constexpr int kCount = LanesOf<T, kBytes>::kCount;
    Vector best[kPhases];
    const T* x = rows.x + c;
    for (int v = 0; v < kPhases; ++v) best[v] = load_lanes<kBytes>(x + v * kCount);
    auto nan = either_is_nan<kBytes, T>(best[0], best[kPhases - 1]);
#pragma GCC unroll 4
    for (int r = 1; r < kRows; ++r) {
        x += rows.row_step;
        Vector value[kPhases];
        for (int v = 0; v < kPhases; ++v) value[v] = load_lanes<kBytes>(x + v * kCount);
        for (int v = 0; v < kPhases; ++v) best[v] = larger_of(value[v], best[v]);
        nan |= either_is_nan<kBytes, T>(value[0], value[kPhases - 1]);
    }
    if constexpr (kPhases == 2) {
        const Vector even = every_other<0, kBytes, T>(best[0], best[1]);
        best[1] = every_other<1, kBytes, T>(best[0], best[1]);
        best[0] = even;
    }
    for (int v = 0; v < kPhases; ++v) {
        T* to = phases.to[v] + c / kPhases;
        store_lanes<kBytes>(to, kContinues ? larger_of(best[v], load_lanes<kBytes>(to)) : best[v]);
    }
    return nan;
}

/// All columns. Those left over at the end overlap their neighbours, or are done one by one where there are none.
template <int kPhases, int kRows, bool kContinues, class T, int kBytes = kVectorBytes>
[[gnu::always_inline]] inline bool maxima_of_rows(ColumnRows<T> rows, Phases<T, kPhases> phases) {
    constexpr std::int64_t kBlock = kPhases * LanesOf<T, kBytes>::kCount;
    if constexpr (kBytes > 16) {
        if (rows.columns < kBlock) return maxima_of_rows<kPhases, kRows, kContinues, T, kBytes / 2>(rows, phases);
    }
    std::int64_t c = 0;
    bool has_nan = false;
    if (rows.columns >= kBlock) {
        auto nan = maxima_of_columns<kBytes, kPhases, kRows, kContinues>(rows, 0, phases);
        for (c = kBlock; c + kBlock <= rows.columns; c += kBlock)
            nan |= maxima_of_columns<kBytes, kPhases, kRows, kContinues>(rows, c, phases);
        if (c + kPhases <= rows.columns) {
            c = (rows.columns - kBlock) / kPhases * kPhases;
            nan |= maxima_of_columns<kBytes, kPhases, kRows, kContinues>(rows, c, phases);
            c += kBlock;
        }
        has_nan = any_bit<kBytes>(nan);
    }
    for (; c < rows.columns; ++c) {
        T& best = phases.to[c % kPhases][c / kPhases];
        for (int r = 0; r < kRows; ++r) {
            const T value = rows.x[r * rows.row_step + c];
            has_nan |= value != value;
            best = r == 0 && !kContinues ? value : larger_of(value, best);
        }
    }
    return has_nan;
}

/// The most frequent numbers of rows in one pass, more in several.
template <class T, int kPhases>
[[gnu::always_inline]] inline bool column_maxima(ColumnRows<T> all, Phases<T, kPhases> phases) {
    if (all.rows == 1) return maxima_of_rows<kPhases, 1, false>(all, phases);
    if (all.rows == 2) return maxima_of_rows<kPhases, 2, false>(all, phases);
    bool has_nan = maxima_of_rows<kPhases, 3, false>(all, phases);
    for (std::int64_t done = 3; done < all.rows;) {
        const ColumnRows<T> rest{all.x + done * all.row_step, all.rows - done, all.row_step, all.columns};
        const bool two = rest.rows >= 2;
        has_nan |=
            two ? maxima_of_rows<kPhases, 2, true>(rest, phases) : maxima_of_rows<kPhases, 1, true>(rest, phases);
        done += two ? 2 : 1;
    }
    return has_nan;
}

template <int kBytes, int kVectors, int kStride, class T>
[[gnu::always_inline]] inline void average_of_windows(const WindowRow<T>& row, std::int64_t j, T divisor, T* averages) {
    constexpr int kCount = LanesOf<T, kBytes>::kCount;
    const T* x = row.x + j * kStride;
    Lanes<T, kBytes> totals[kVectors] = {};
    for (std::int64_t r = 0; r < row.rows; ++r) {
        std::int64_t step = r * row.row_step;
        for (std::int64_t c = 0; c < row.columns; ++c, step += row.column_step) {
            for (int v = 0; v < kVectors; ++v)
                totals[v] += load_windows<kBytes, kStride>(x + step + v * kCount * kStride);
        }
    }
    for (int v = 0; v < kVectors; ++v)
        store_lanes<kBytes>(averages + j + v * kCount, totals[v] / (Lanes<T, kBytes>{} + divisor));
}

template <int kBytes, int kVectors>
struct VectorsOf {
    static constexpr int kSize = kBytes;
    static constexpr int kNumber = kVectors;
};

/// Calls body(vectors, j) for windows j, j + 1, .. of some vectors, until the row is covered; the last one overlaps its
/// neighbour.
template <class T, int kBytes = kPoolBytes, class Body>
[[gnu::always_inline]] inline void for_windows(std::int64_t count, Body body) {
    constexpr std::int64_t kCount = LanesOf<T, kBytes>::kCount;
    if constexpr (kBytes > 16) {
        if (count < kCount) return for_windows<T, kBytes / 2>(count, body);
    }
    std::int64_t j = 0;
    for (; j + 2 * kCount <= count; j += 2 * kCount) body(VectorsOf<kBytes, 2>{}, j);
    for (; j < count; j += kCount) body(VectorsOf<kBytes, 1>{}, j + kCount <= count ? j : count - kCount);
}

template <class T, int kStride>
void max_windows(const WindowRow<T>& row, std::int64_t place, T* values, std::int64_t* places) {
    for_windows<T>(row.count, [&]<class Vectors>(Vectors, std::int64_t j) __attribute__((always_inline)) {
        max_of_windows<Vectors::kSize, Vectors::kNumber, kStride>(row, j, place, values, places);
    });
}

/// values[j] = the largest of line[taps[t] + j] over t, for j < count; kTaps is the number of taps, or 0. Nothing read is NaN.
template <int kTaps, class T>
[[gnu::always_inline]] inline void largest_of_taps(const T* line, const std::int64_t* taps, std::int64_t tap_count,
                                                   std::int64_t count, T* values) {
    if (kTaps != 0) tap_count = kTaps;
    if (count < kLeastWindows) {
        for (std::int64_t j = 0; j < count; ++j) {
            values[j] = line[taps[0] + j];
            for (std::int64_t t = 1; t < tap_count; ++t) values[j] = larger_of(line[taps[t] + j], values[j]);
        }
        return;
    }
    for_windows<T>(count, [&]<class Vectors>(Vectors, std::int64_t j) __attribute__((always_inline)) {
        constexpr int kBytes = Vectors::kSize, kCount = LanesOf<T, kBytes>::kCount;
        Lanes<T, kBytes> best[Vectors::kNumber];
        for (int v = 0; v < Vectors::kNumber; ++v) best[v] = load_lanes<kBytes>(line + taps[0] + j + v * kCount);
#pragma GCC unroll 2
        for (std::int64_t t = 1; t < tap_count; ++t) {
            for (int v = 0; v < Vectors::kNumber; ++v)
                best[v] = larger_of(load_lanes<kBytes>(line + taps[t] + j + v * kCount), best[v]);
        }
        for (int v = 0; v < Vectors::kNumber; ++v) store_lanes<kBytes>(values + j + v * kCount, best[v]);
    });
}

/// The largest columns of one row of windows, to a line. Returns whether there is a NaN.
template <class T, int kPhases>
[[gnu::always_inline]] inline bool fill_line(const WindowRows<T>& all, std::int64_t row, std::int64_t line) {
    const Reach& reach = all.rows[row];
    const std::int64_t reached = reach.end - reach.begin;
    const std::int64_t rows = all.row_step == 1 ? reached : (reached + all.row_step - 1) / all.row_step;
    Phases<T, kPhases> phases;
    for (int i = 0; i < kPhases; ++i) phases.to[i] = all.phases[i] + line * all.line_size;
    return column_maxima<T>({all.x + reach.begin * all.width, rows, all.row_step * all.width, all.columns}, phases);
}

/// Several lines are filled before the first is read: what was stored just now cannot be loaded from places between. Rows are all
/// here because one takes no longer than a few calls.
template <class T, int kPhases>
std::int64_t max_values(const WindowRows<T>& windows, std::int64_t row) {
    if constexpr (kPhases == 2) {
        if (const std::int64_t paired = paired_windows(windows))
            return windows.tap_count == 3 ? max_of_pairs<3>(windows, paired, row)
                                          : max_of_pairs<2>(windows, paired, row);
    }
    const WindowRows<T> all = windows;  // a copy that no store may change
    const std::int64_t taps[3] = {all.taps[0], all.taps[all.tap_count > 1 ? 1 : 0],
                                  all.taps[all.tap_count > 2 ? 2 : 0]};
    for (bool has_nan = false; row < all.count && !has_nan;) {
        std::int64_t filled = 0;
        for (; filled < kPoolLines && row + filled < all.count && !has_nan; ++filled)
            has_nan = fill_line<T, kPhases>(all, row + filled, filled);
        filled -= has_nan ? 1 : 0;
        const T* line = all.lines;
        for (const std::int64_t end = row + filled; row < end; ++row, line += all.line_size) {
            T* values = all.values + row * all.windows;
            if (all.stride != kPhases) {
                for (std::int64_t j = 0; j < all.windows; ++j)
                    largest_of_taps<0>(line + j * all.stride, all.taps, all.tap_count, 1, values + j);
            } else if (all.tap_count == 2) {
                largest_of_taps<2>(line, taps, 2, all.windows, values);
            } else if (all.tap_count == 3) {
                largest_of_taps<3>(line, taps, 3, all.windows, values);
            } else {
                largest_of_taps<0>(line, all.taps, all.tap_count, all.windows, values);
            }
        }
    }
    return row;
}

template <class T, int kStride>
void average_windows(const WindowRow<T>& row, T divisor, T* averages) {
    for_windows<T>(row.count, [&]<class Vectors>(Vectors, std::int64_t j) __attribute__((always_inline)) {
        average_of_windows<Vectors::kSize, Vectors::kNumber, kStride>(row, j, divisor, averages);
    });
}

template <class T>
constexpr PoolKernels<T> make_pool_kernels() {
    return {{max_windows<T, 1>, max_windows<T, 2>},
            {max_values<T, 1>, max_values<T, 2>},
            {average_windows<T, 1>, average_windows<T, 2>}};
}

}  // namespace
}  // namespace burn::ndarray
