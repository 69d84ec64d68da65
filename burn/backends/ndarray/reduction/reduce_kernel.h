#pragma once

#include <burn/backends/ndarray/reduction/reduce_loop.h>

#include <type_traits>
#include <utility>

/// Makes the inner loops of a reduction from a fold:
///   using Element, Accumulator;
///   static Accumulator start();
///   static Accumulator fold(Accumulator, Accumulator);      // the elements converted; also merges
///   static Element finish(Accumulator, double divisor);
///   template <class V> static V fold_lanes(V, V);           // the same on vectors of accumulators
///   static Accumulator fold_packed_row(const Element*, std::int64_t count);  // optional: all of a row at once
/// Folds are associative but for rounding.

namespace burn::ndarray {

/// What elements of type `T` are accumulated in: half types in f32, integers in the type in which they wrap.
template <class T>
struct AccumulatorOf {
    using type = T;
};
template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct AccumulatorOf<T> {
    using type = std::make_unsigned_t<T>;
};
template <>
struct AccumulatorOf<bool> {
    using type = unsigned char;
};
template <>
struct AccumulatorOf<f16> {
    using type = float;
};
template <>
struct AccumulatorOf<bf16> {
    using type = float;
};

constexpr int kReduceVectorBytes = 16;
/// Vectors of accumulators that a row is folded into: enough to hide the latency of an addition.
constexpr int kReduceVectors = 8;

template <class Fold>
struct ReduceLoops {
    using T = typename Fold::Element;
    using A = typename Fold::Accumulator;
    static constexpr bool kVector = (sizeof(T) == sizeof(A) && !std::is_same_v<T, bool>) || std::is_same_v<T, bf16>;

    static void start(std::byte* accumulators, std::int64_t count) {
        A* to = reinterpret_cast<A*>(accumulators);
        for (std::int64_t i = 0; i < count; ++i) to[i] = Fold::start();
    }

    static void fold_row(std::byte* accumulator, const ReduceRun& run) {
        A& total = *reinterpret_cast<A*>(accumulator);
        const bool packed = run.stride == static_cast<std::int64_t>(sizeof(T));
        total =
            Fold::fold(total, packed ? packed_row(reinterpret_cast<const T*>(run.data), run.count) : strided_row(run));
    }

    static void fold_columns(std::byte* accumulators, const ReduceBlock& block) {
        A* to = reinterpret_cast<A*>(accumulators);
        std::int64_t done = 0;
        if (block.first.stride == static_cast<std::int64_t>(sizeof(T))) {
            for (; done + kRunsAtOnce <= block.runs; done += kRunsAtOnce)
                fold_packed_runs<kRunsAtOnce>(to, block, done);
            for (; done < block.runs; ++done) fold_packed_runs<1>(to, block, done);
        }
        for (; done < block.runs; ++done) {
            ReduceRun run = block.first;
            run.data += done * block.step;
            for (std::int64_t i = 0; i < run.count; ++i) to[i] = Fold::fold(to[i], element(run, i));
        }
    }

    static void merge(std::byte* accumulators, const std::byte* later, std::int64_t count) {
        A* to = reinterpret_cast<A*>(accumulators);
        const A* from = reinterpret_cast<const A*>(later);
        for (std::int64_t i = 0; i < count; ++i) to[i] = Fold::fold(to[i], from[i]);
    }

    static void finish(const std::byte* accumulators, std::byte* results, std::int64_t count, std::int64_t stride,
                       double divisor) {
        const A* from = reinterpret_cast<const A*>(accumulators);
        for (std::int64_t i = 0; i < count; ++i)
            *reinterpret_cast<T*>(results + i * stride) = Fold::finish(from[i], divisor);
    }

    static constexpr ReduceKernel kernel() { return {sizeof(A), start, fold_row, fold_columns, merge, finish}; }

private:
    typedef A V __attribute__((vector_size(kReduceVectorBytes)));
    static constexpr int kLanes = kReduceVectorBytes / static_cast<int>(sizeof(A));

    /// As many elements as V has lanes, as accumulators.
    static V load(const T* from) {
        V x;
        if constexpr (sizeof(T) == sizeof(A)) {
            __builtin_memcpy(&x, from, sizeof(V));
        } else {  // bf16: the upper half of an f32
            typedef std::uint16_t Halves __attribute__((vector_size(kReduceVectorBytes)));
            typedef std::uint64_t Pairs __attribute__((vector_size(kReduceVectorBytes)));
            std::uint64_t bits;
            __builtin_memcpy(&bits, from, sizeof bits);
            x = (V)__builtin_shufflevector(Halves{}, (Halves)Pairs{bits, 0}, 0, 8, 1, 9, 2, 10, 3, 11);
        }
        return x;
    }

    /// Runs that are folded into an accumulator while it is in a register.
    static constexpr int kRunsAtOnce = 8;
    /// Vectors of a run that are folded before those of the next: a line of the cache is read in one go.
    static constexpr int kLineVectors = 64 / kReduceVectorBytes;

    /// Elements i, i + 1, .. of runs `first`, first + 1, ..
    template <int kRuns>
    static void fold_packed_runs(A* __restrict to, const ReduceBlock& block, std::int64_t first) {
        const T* from[kRuns];
        for (int r = 0; r < kRuns; ++r)
            from[r] = reinterpret_cast<const T*>(block.first.data + (first + r) * block.step);
        const std::int64_t count = block.first.count;
        std::int64_t i = 0;
        if constexpr (kVector) {
            const auto fold_vectors = [&]<int... v>(std::integer_sequence<int, v...>) __attribute__((always_inline)) {
                V totals[sizeof...(v)];
                __builtin_memcpy(totals, to + i, sizeof totals);
                for (int r = 0; r < kRuns; ++r)
                    ((totals[v] = Fold::fold_lanes(totals[v], load(from[r] + i + v * kLanes))), ...);
                __builtin_memcpy(to + i, totals, sizeof totals);
            };
            constexpr auto kLine = std::make_integer_sequence<int, kLineVectors>{};
            for (; i + kLineVectors * kLanes <= count; i += kLineVectors * kLanes) fold_vectors(kLine);
            for (; i + kLanes <= count; i += kLanes) fold_vectors(std::integer_sequence<int, 0>{});
        }
        for (; i < count; ++i) {
            A total = to[i];
            for (int r = 0; r < kRuns; ++r) total = Fold::fold(total, static_cast<A>(from[r][i]));
            to[i] = total;
        }
    }

    static A element(const ReduceRun& run, std::int64_t i) {
        return static_cast<A>(*reinterpret_cast<const T*>(run.data + i * run.stride));
    }

    static A packed_row(const T* from, std::int64_t count) {
        if constexpr (requires { Fold::fold_packed_row(from, count); }) return Fold::fold_packed_row(from, count);
        std::int64_t i = 0;
        A total = Fold::start();
        if constexpr (kVector) {
            if (count >= kLanes) {
                V lanes[kReduceVectors];
                for (V& lane : lanes) lane = V{} + Fold::start();
                for (; i + kLanes * kReduceVectors <= count; i += kLanes * kReduceVectors) {
                    for (int v = 0; v < kReduceVectors; ++v)
                        lanes[v] = Fold::fold_lanes(lanes[v], load(from + i + v * kLanes));
                }
                for (; i + kLanes <= count; i += kLanes) lanes[0] = Fold::fold_lanes(lanes[0], load(from + i));
                for (int v = 1; v < kReduceVectors; ++v) lanes[0] = Fold::fold_lanes(lanes[0], lanes[v]);
                for (int lane = 0; lane < kLanes; ++lane) total = Fold::fold(total, lanes[0][lane]);
            }
        } else {
            constexpr int kSideBySide = 8;
            if (count >= kSideBySide) {
                A lanes[kSideBySide];
                for (A& lane : lanes) lane = Fold::start();
                for (; i + kSideBySide <= count; i += kSideBySide) {
                    for (int lane = 0; lane < kSideBySide; ++lane)
                        lanes[lane] = Fold::fold(lanes[lane], static_cast<A>(from[i + lane]));
                }
                for (const A lane : lanes) total = Fold::fold(total, lane);
            }
        }
        for (; i < count; ++i) total = Fold::fold(total, static_cast<A>(from[i]));
        return total;
    }

    static A strided_row(const ReduceRun& run) {
        A lanes[4] = {Fold::start(), Fold::start(), Fold::start(), Fold::start()};
        std::int64_t i = 0;
        for (; i + 4 <= run.count; i += 4) {
            for (int lane = 0; lane < 4; ++lane) lanes[lane] = Fold::fold(lanes[lane], element(run, i + lane));
        }
        for (; i < run.count; ++i) lanes[0] = Fold::fold(lanes[0], element(run, i));
        return Fold::fold(Fold::fold(lanes[0], lanes[1]), Fold::fold(lanes[2], lanes[3]));
    }
};

template <class Fold>
constexpr ReduceKernel kReduceKernel = ReduceLoops<Fold>::kernel();

}  // namespace burn::ndarray
