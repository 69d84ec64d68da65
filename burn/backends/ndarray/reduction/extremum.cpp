#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>

namespace burn::ndarray {

namespace {

/// The place of the first extremum, or of the first NaN.
template <class T, bool Largest>
struct ArgLoops {
    using Values = ExtremumFold<T, Largest>;
    using A = typename Values::Accumulator;
    struct Place {
        A value;
        std::int64_t index;
    };

    static void start(std::byte* accumulators, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            reinterpret_cast<Place*>(accumulators)[i] = {Values::start(), kNowhere};
    }

    /// Packed floats by their kernel; of others the value with the fast loop, then its first place.
    static void fold_row(std::byte* accumulator, const ReduceRun& run) {
        if constexpr (std::is_floating_point_v<T>) {
            if (run.stride == static_cast<std::int64_t>(sizeof(T)) && run.count > 0)
                return fold_packed_floats(accumulator, run);
        }
        A best = Values::start();
        kReduceKernel<Values>.fold_row(reinterpret_cast<std::byte*>(&best), run);
        auto& total = *reinterpret_cast<Place*>(accumulator);
        if (!replaces(best, total)) return;
        for (std::int64_t i = elements_before(run, best); i < run.count; ++i) {
            if (is(element(run, i), best)) {
                total = {best, run.position + i};
                return;
            }
        }
    }

    static void fold_columns(std::byte* accumulators, const ReduceBlock& block) {
        auto* to = reinterpret_cast<Place*>(accumulators);
        ReduceRun run = block.first;
        for (std::int64_t r = 0; r < block.runs; ++r, run.data += block.step, ++run.position) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                const A x = element(run, i);
                if (replaces(x, to[i])) to[i] = {x, run.position};
            }
        }
    }

    static void merge(std::byte* accumulators, const std::byte* later, std::int64_t count) {
        auto* to = reinterpret_cast<Place*>(accumulators);
        const auto* from = reinterpret_cast<const Place*>(later);
        for (std::int64_t i = 0; i < count; ++i) {
            if (replaces(from[i].value, to[i])) to[i] = from[i];
        }
    }

    static void finish(const std::byte* accumulators, std::byte* results, std::int64_t count, std::int64_t stride,
                       double) {
        const auto* from = reinterpret_cast<const Place*>(accumulators);
        for (std::int64_t i = 0; i < count; ++i) *reinterpret_cast<std::int64_t*>(results + i * stride) = from[i].index;
    }

    static constexpr ReduceKernel kernel() { return {sizeof(Place), start, fold_row, fold_columns, merge, finish}; }

private:
    static constexpr std::int64_t kNowhere = -1;

    static void fold_packed_floats(std::byte* accumulator, const ReduceRun& run)
        requires std::is_floating_point_v<T>
    {
        const T* row = reinterpret_cast<const T*>(run.data);
        const ExtremumKernels<T>& kernels = extremum_kernels<T>();
        const std::int64_t place = (Largest ? kernels.place_of_largest : kernels.place_of_smallest)(row, run.count);
        auto& total = *reinterpret_cast<Place*>(accumulator);
        if (replaces(row[place], total)) total = {row[place], run.position + place};
    }

    /// Later values must be better; the first NaN is better than all, and stays. The first value of all always counts.
    static bool replaces(A x, const Place& place) {
        if (place.index == kNowhere) return true;
        return place.value == place.value && Values::beats(x, place.value);
    }
    static bool is(A x, A best) { return x == best || (x != x && best != best); }

    /// How many elements at the front are certainly not `best`: vectors of them are compared at once.
    static std::int64_t elements_before(const ReduceRun& run, A best) {
        std::int64_t i = 0;
        if constexpr (std::is_integral_v<T>) {
            if (run.stride != static_cast<std::int64_t>(sizeof(T))) return 0;
            typedef T V __attribute__((vector_size(kReduceVectorBytes)));
            typedef std::int64_t Halves __attribute__((vector_size(kReduceVectorBytes)));
            constexpr std::int64_t kStep = 4 * kReduceVectorBytes / static_cast<std::int64_t>(sizeof(T));
            const V wanted = V{} + static_cast<T>(best);
            for (; i + kStep <= run.count; i += kStep) {
                V x[4];
                __builtin_memcpy(x, run.data + i * run.stride, sizeof x);
                Halves found{};
                for (const V& each : x) found |= (Halves)(each == wanted);
                if ((found[0] | found[1]) != 0) return i;
            }
        }
        return i;
    }

    static A element(const ReduceRun& run, std::int64_t i) {
        return static_cast<A>(*reinterpret_cast<const T*>(run.data + i * run.stride));
    }
};

template <class T, bool Largest>
constexpr ReduceKernel kArgKernel = ArgLoops<T, Largest>::kernel();

template <bool Largest>
ops::Handle extremum(const Dims& axes, const Args& args) {
    ops::Handle result = args.make_result();
    visit_dtype(args.input(0).spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            reduce(kReduceKernel<ExtremumFold<T, Largest>>, args.input(0), NdTensor::of(result), axes);
        }
    });
    return result;
}

template <bool Largest>
ops::Handle arg_extremum(std::int64_t axis, const Args& args) {
    ops::Handle result = args.make_result();
    visit_dtype(args.input(0).spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            reduce(kArgKernel<T, Largest>, args.input(0), NdTensor::of(result), {axis});
        }
    });
    return result;
}

}  // namespace

ops::Handle run(const ops::Max& op, Args& args) { return extremum<true>(op.axes, args); }
ops::Handle run(const ops::Min& op, Args& args) { return extremum<false>(op.axes, args); }
ops::Handle run(const ops::ArgMax& op, Args& args) { return arg_extremum<true>(op.axis, args); }
ops::Handle run(const ops::ArgMin& op, Args& args) { return arg_extremum<false>(op.axis, args); }

}  // namespace burn::ndarray
