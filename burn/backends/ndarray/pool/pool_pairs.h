// Windows of two or three neighbouring columns at every second one, as most networks have them: the largest is that of vectors of
// even columns, of odd ones, and of the odd ones before. No line of columns is written and read again, as others need
// (pool_lanes.h).
#pragma once

#include <burn/backends/ndarray/lanes/lanes.h>
#include <burn/backends/ndarray/pool/pool_kernels.h>

#include <limits>
#include <type_traits>

namespace burn::ndarray {
namespace {

/// The larger of each pair of lanes, none of which is NaN.
template <class V>
[[gnu::always_inline]] inline V larger_of(V a, V b) {
    return a > b ? a : b;
}

/// Rows of x that windows see: element c of row r is x[r * row_step + c].
template <class T>
struct ColumnRows {
    const T* x;
    std::int64_t rows;  ///< > 0
    std::int64_t row_step;
    std::int64_t columns;
};

/// Whether there was a NaN in vectors so far.
template <int kBytes, class T>
class NanSeen {
public:
    [[gnu::always_inline]] void look_at(Lanes<T, kBytes> a, Lanes<T, kBytes> b) {
        lanes_ |= either_is_nan<kBytes, T>(a, b);
    }
    [[gnu::always_inline]] bool any() const { return any_bit<kBytes>(lanes_); }

private:
    decltype(Lanes<T, kBytes>{} != Lanes<T, kBytes>{}) lanes_{};
};

#if defined(__AVX512F__)
// Masks need not become vectors.
template <class T>
class NanSeen<64, T> {
public:
    [[gnu::always_inline]] void look_at(Lanes<T, 64> a, Lanes<T, 64> b) {
        if constexpr (sizeof(T) == 4)
            lanes_ = _kor_mask16(lanes_, _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q));
        else
            lanes_ = _kor_mask8(lanes_, _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q));
    }
    [[gnu::always_inline]] bool any() const { return lanes_ != 0; }

private:
    std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8> lanes_ = 0;
};
#endif

/// The last lane of a, then all but the last of b.
template <int kCount>
struct OneBack {
    static constexpr int at(int i) { return kCount - 1 + i; }
};

/// The largest element of one column; sets has_nan where one is NaN.
template <class T>
[[gnu::always_inline]] inline T largest_of_column(const ColumnRows<T>& rows, std::int64_t c, bool& has_nan) {
    T best = -std::numeric_limits<T>::infinity();
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T value = rows.x[r * rows.row_step + c];
        has_nan |= value != value;
        best = r == 0 ? value : larger_of(value, best);
    }
    return best;
}

/// values[j] = the largest of columns 2 j and 2 j + 1, and with kTaps 3 of 2 j - 1 too, for `count` of them, a vector at least; the first
/// of equals. Column -1 has `before`. kRows is the number of rows, or 0. Returns whether there is a NaN.
template <int kTaps, int kRows, class T>
[[gnu::always_inline]] inline bool largest_of_pairs(ColumnRows<T> rows, T before, std::int64_t count, T* values) {
    constexpr int kBytes = kVectorBytes, kCount = LanesOf<T, kBytes>::kCount;
    using Vector = Lanes<T, kBytes>;
    if (kRows != 0) rows.rows = kRows;
    NanSeen<kBytes, T> nan;
    bool has_nan = false;
    Vector odd_before = before - Vector{};  // not +: -0 + 0 is +0
    for (std::int64_t j = 0; j < count; j += kCount) {
        if (j + kCount > count) {  // the last ones, some of them once more
            j = count - kCount;
            odd_before = largest_of_column(rows, 2 * j - 1, has_nan) - Vector{};
        }
        const T* x = rows.x + 2 * j;
        Vector low = load_lanes<kBytes>(x), high = load_lanes<kBytes>(x + kCount);
        nan.look_at(low, high);
#pragma GCC unroll 4
        for (std::int64_t r = 1; r < rows.rows; ++r) {
            x += rows.row_step;
            const Vector a = load_lanes<kBytes>(x), b = load_lanes<kBytes>(x + kCount);
            nan.look_at(a, b);
            low = larger_of(a, low);
            high = larger_of(b, high);
        }
        const Vector even = every_other<0, kBytes, T>(low, high), odd = every_other<1, kBytes, T>(low, high);
        Vector best = larger_of(odd, even);
        if constexpr (kTaps == 3) best = larger_of(best, shuffle_lanes<OneBack<kCount>, kBytes, T>(odd_before, odd));
        store_lanes<kBytes>(values + j, best);
        odd_before = odd;
    }
    return has_nan | nan.any();
}

/// Columns before that of number 0 in largest_of_pairs: padding is one itself.
template <class T>
std::int64_t columns_before_pairs(const WindowRows<T>& all) {
    return all.tap_count == 3 ? 1 - all.padding : 0;
}

/// How many windows of each row largest_of_pairs knows: all but for one at most, which is cut by the padding behind it; else 0.
template <class T>
std::int64_t paired_windows(const WindowRows<T>& all) {
    const bool are_pairs = all.stride == 2 && all.is_dense &&
                           (all.tap_count == 3 ? all.padding <= 1 : all.tap_count == 2 && all.padding == 0);
    if (!are_pairs) return 0;
    const std::int64_t whole = (all.columns - columns_before_pairs(all)) / 2;
    const std::int64_t count = all.windows < whole ? all.windows : whole;
    return count >= LanesOf<T, kVectorBytes>::kCount && all.windows <= count + 1 ? count : 0;
}

/// PoolKernels::max_values without lines, for paired_windows.
template <int kTaps, class T>
std::int64_t max_of_pairs(const WindowRows<T>& windows, std::int64_t paired, std::int64_t row) {
    const WindowRows<T> all = windows;  // a copy that no store may change
    const std::int64_t skipped = columns_before_pairs(all);
    for (; row < all.count; ++row) {
        const Reach& reach = all.rows[row];
        const ColumnRows<T> rows{all.x + reach.begin * all.width + skipped, reach.end - reach.begin, all.width,
                                 all.columns - skipped};
        T* const values = all.values + row * all.windows;
        bool has_nan = false;
        const T nothing = -std::numeric_limits<T>::infinity();
        const T before = skipped > 0 ? largest_of_column(rows, -1, has_nan) : nothing;
        has_nan |= rows.rows == 3   ? largest_of_pairs<kTaps, 3>(rows, before, paired, values)
                   : rows.rows == 2 ? largest_of_pairs<kTaps, 2>(rows, before, paired, values)
                                    : largest_of_pairs<kTaps, 0>(rows, before, paired, values);
        if (paired < all.windows) {
            std::int64_t c = 2 * paired + 2 - kTaps;
            values[paired] = largest_of_column(rows, c, has_nan);
            while (++c < rows.columns) values[paired] = larger_of(largest_of_column(rows, c, has_nan), values[paired]);
        }
        if (has_nan) break;
    }
    return row;
}

}  // namespace
}  // namespace burn::ndarray
