#pragma once

#include <burn/backends/ndarray/reduction/extremum_kernels.h>
#include <burn/backends/ndarray/reduction/reduce_kernel.h>

#include <limits>

/// The folds that more than one source file reduces with.

namespace burn::ndarray {

template <class T>
struct SumFold {
    using Element = T;
    using Accumulator = typename AccumulatorOf<T>::type;
    static Accumulator start() { return 0; }
    static Accumulator fold(Accumulator a, Accumulator b) { return static_cast<Accumulator>(a + b); }
    template <class V>
    static V fold_lanes(V a, V b) {
        return a + b;
    }
    static T finish(Accumulator total, double) { return static_cast<T>(total); }
};

/// The largest (or smallest) value; a NaN once met stays.
template <class T, bool Largest>
struct ExtremumFold {
    using Element = T;
    using Accumulator = std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, T>;
    using Limits = std::numeric_limits<Accumulator>;

    static Accumulator start() {
        if constexpr (std::is_floating_point_v<Accumulator>)
            return Largest ? -Limits::infinity() : Limits::infinity();
        else
            return Largest ? Limits::min() : Limits::max();
    }
    static bool beats(Accumulator x, Accumulator best) { return (Largest ? x > best : x < best) || x != x; }
    static Accumulator fold(Accumulator best, Accumulator x) { return beats(x, best) ? x : best; }
    template <class V>
    static V fold_lanes(V best, V x) {
        const auto better = Largest ? x > best : x < best;
        return (better | (x != x)) ? x : best;
    }
    static Accumulator fold_packed_row(const T* row, std::int64_t count)
        requires std::is_floating_point_v<T>
    {
        const ExtremumKernels<T>& kernels = extremum_kernels<T>();
        return (Largest ? kernels.largest : kernels.smallest)(row, count);
    }
    static T finish(Accumulator best, double) { return static_cast<T>(best); }
};

/// A packed row folded into one value.
template <class Fold>
typename Fold::Accumulator fold_packed(const typename Fold::Element* row, std::int64_t count) {
    typename Fold::Accumulator total = Fold::start();
    ReduceLoops<Fold>::fold_row(reinterpret_cast<std::byte*>(&total),
                                {reinterpret_cast<const std::byte*>(row), count, sizeof(typename Fold::Element), 0});
    return total;
}

}  // namespace burn::ndarray
