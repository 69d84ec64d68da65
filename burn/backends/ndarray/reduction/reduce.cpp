#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>

namespace burn::ndarray {

namespace {

/// A mean is a sum that ends with a division.
template <class T>
constexpr ReduceKernel kMeanKernel = [] {
    ReduceKernel kernel = ReduceLoops<SumFold<T>>::kernel();
    kernel.finish = [](const std::byte* totals, std::byte* results, std::int64_t count, std::int64_t stride,
                       double divisor) {
        using A = typename AccumulatorOf<T>::type;
        for (std::int64_t i = 0; i < count; ++i) {
            const A total = reinterpret_cast<const A*>(totals)[i];
            *reinterpret_cast<T*>(results + i * stride) = static_cast<T>(total / static_cast<A>(divisor));
        }
    };
    return kernel;
}();

template <class T>
struct ProdFold {
    using Element = T;
    using Accumulator = typename AccumulatorOf<T>::type;
    static Accumulator start() { return 1; }
    static Accumulator fold(Accumulator a, Accumulator b) {
        if constexpr (std::is_integral_v<Accumulator>) {
            return static_cast<Accumulator>(1u * a * b);  // 1u: small types must not become a signed int that overflows
        } else {
            return a * b;
        }
    }
    template <class V>
    static V fold_lanes(V a, V b) {
        return a * b;
    }
    static T finish(Accumulator product, double) { return static_cast<T>(product); }
};

struct AnyFold {
    using Element = bool;
    using Accumulator = unsigned char;
    static Accumulator start() { return 0; }
    static Accumulator fold(Accumulator a, Accumulator b) { return a | b; }
    static bool finish(Accumulator any, double) { return any != 0; }
};

struct AllFold {
    using Element = bool;
    using Accumulator = unsigned char;
    static Accumulator start() { return 1; }
    static Accumulator fold(Accumulator a, Accumulator b) { return a & b; }
    static bool finish(Accumulator all, double) { return all != 0; }
};

/// Mean and sum of squared deviations of some elements; two of them merge without cancellation (Chan, Golub, LeVeque 1979).
template <class T>
struct VarLoops {
    using A = typename AccumulatorOf<T>::type;
    struct Moments {
        A count;
        A mean;
        A squares;
    };

    static Moments merged(Moments a, Moments b) {
        const A count = a.count + b.count;
        if (count == 0) return a;
        const A share = b.count / count;
        const A delta = b.mean - a.mean;
        return {count, a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share};
    }

    static void start(std::byte* accumulators, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) reinterpret_cast<Moments*>(accumulators)[i] = {};
    }

    static void fold_row(std::byte* accumulator, const ReduceRun& run) {
        if (run.count == 0) return;
        A sum{};
        kReduceKernel<SumFoldOf>.start(reinterpret_cast<std::byte*>(&sum), 1);
        kReduceKernel<SumFoldOf>.fold_row(reinterpret_cast<std::byte*>(&sum), run);
        Moments part{static_cast<A>(run.count), sum / static_cast<A>(run.count), 0};
        constexpr int kLanes = 16;
        A lanes[kLanes] = {};
        std::int64_t i = 0;
        for (; i + kLanes <= run.count; i += kLanes) {
            for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += squared(element(run, i + lane) - part.mean);
        }
        for (; i < run.count; ++i) part.squares += squared(element(run, i) - part.mean);
        for (const A lane : lanes) part.squares += lane;
        auto& total = *reinterpret_cast<Moments*>(accumulator);
        total = merged(total, part);
    }

    static void fold_columns(std::byte* accumulators, const ReduceBlock& block) {
        auto* to = reinterpret_cast<Moments*>(accumulators);
        ReduceRun run = block.first;
        for (std::int64_t r = 0; r < block.runs; ++r, run.data += block.step) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                const A x = element(run, i);
                const A delta = x - to[i].mean;
                to[i].count += 1;
                to[i].mean += delta / to[i].count;
                to[i].squares += delta * (x - to[i].mean);
            }
        }
    }

    static void merge(std::byte* accumulators, const std::byte* later, std::int64_t count) {
        auto* to = reinterpret_cast<Moments*>(accumulators);
        for (std::int64_t i = 0; i < count; ++i) to[i] = merged(to[i], reinterpret_cast<const Moments*>(later)[i]);
    }

    static void finish(const std::byte* accumulators, std::byte* results, std::int64_t count, std::int64_t stride,
                       double divisor) {
        const auto* from = reinterpret_cast<const Moments*>(accumulators);
        for (std::int64_t i = 0; i < count; ++i) {
            *reinterpret_cast<T*>(results + i * stride) = static_cast<T>(from[i].squares / static_cast<A>(divisor));
        }
    }

    static constexpr ReduceKernel kernel() { return {sizeof(Moments), start, fold_row, fold_columns, merge, finish}; }

private:
    using SumFoldOf = SumFold<T>;
    static A squared(A x) { return x * x; }
    static A element(const ReduceRun& run, std::int64_t i) {
        return static_cast<A>(*reinterpret_cast<const T*>(run.data + i * run.stride));
    }
};

template <class T>
constexpr ReduceKernel kVarKernel = VarLoops<T>::kernel();

ops::Handle reduced(const ReduceKernel& kernel, const Dims& axes, const Args& args, double divisor = 1) {
    ops::Handle result = args.make_result();
    reduce(kernel, args.input(0), NdTensor::of(result), axes, divisor);
    return result;
}

}  // namespace

ops::Handle run(const ops::Sum& op, Args& args) {
    return visit_dtype(args.result_spec().dtype, [&]<class T>(T) {
        if constexpr (std::is_same_v<T, bool>)
            return ops::Handle();
        else
            return reduced(kReduceKernel<SumFold<T>>, op.axes, args);
    });
}

ops::Handle run(const ops::Prod& op, Args& args) {
    return visit_dtype(args.result_spec().dtype, [&]<class T>(T) {
        if constexpr (std::is_same_v<T, bool>)
            return ops::Handle();
        else
            return reduced(kReduceKernel<ProdFold<T>>, op.axes, args);
    });
}

ops::HandleList run(const ops::Mean& op, Args& args) {
    const TensorSpec& spec = args.input(0).spec();
    if (!is_float(spec.dtype)) return op.decompose(args.take_all());
    return ops::list_of(visit_dtype(spec.dtype, [&]<class T>(T) {
        if constexpr (!is_float(dtype_of<T>))
            return ops::Handle();
        else
            return reduced(kMeanKernel<T>, op.axes, args, op.divisor(spec.shape));
    }));
}

ops::Handle run(const ops::Var& op, Args& args) {
    const TensorSpec& spec = args.input(0).spec();
    return visit_dtype(spec.dtype, [&]<class T>(T) {
        if constexpr (!is_float(dtype_of<T>))
            return ops::Handle();
        else
            return reduced(kVarKernel<T>, op.axes, args, op.divisor(spec.shape));
    });
}

ops::Handle run(const ops::Any& op, Args& args) { return reduced(kReduceKernel<AnyFold>, op.axes, args); }

ops::Handle run(const ops::All& op, Args& args) { return reduced(kReduceKernel<AllFold>, op.axes, args); }

}  // namespace burn::ndarray
