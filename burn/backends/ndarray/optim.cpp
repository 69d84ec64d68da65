// A step of an optimiser in one pass over memory.
//
// Traffic   four tensors read, three written; the decomposition reads and writes about thirty
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

template <class T>
using Compute = std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, T>;

/// The attributes, rounded as the decomposition's scalars are.
template <class C>
struct AdamNumbers {
    C beta_1, fresh_1, beta_2, fresh_2, spread, epsilon, rate, decay, shrink;

    explicit AdamNumbers(const ops::AdamStep& op)
        : beta_1(static_cast<C>(op.beta_1)), fresh_1(static_cast<C>(1 - op.beta_1)), beta_2(static_cast<C>(op.beta_2)),
          fresh_2(static_cast<C>(1 - op.beta_2)), spread(static_cast<C>(1 / __builtin_sqrt(op.correction_2))),
          epsilon(static_cast<C>(op.epsilon)), rate(static_cast<C>(op.rate / op.correction_1)),
          decay(static_cast<C>(op.decay)), shrink(static_cast<C>(op.rate * op.decay)) {}
};

inline float root(float value) { return __builtin_sqrtf(value); }
inline double root(double value) { return __builtin_sqrt(value); }

/// Results may lie where the operands lie.
template <class T>
struct AdamArrays {
    const T* p;
    const T* grad;
    const T* m;
    const T* v;
    T* p_out;
    T* m_out;
    T* v_out;
};

template <class T, ops::WeightDecay kKind, bool kDecays>
void adam_loop(const AdamArrays<T>& at, std::int64_t begin, std::int64_t end, const AdamNumbers<Compute<T>>& k) {
    using C = Compute<T>;
    // Elements are independent, also where a result replaces its operand.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::int64_t i = begin; i < end; ++i) {
        C p = static_cast<C>(at.p[i]);
        C g = static_cast<C>(at.grad[i]);
        if constexpr (kDecays && kKind == ops::WeightDecay::L2) g = g + p * k.decay;
        const C m = static_cast<C>(at.m[i]) * k.beta_1 + g * k.fresh_1;
        const C v = static_cast<C>(at.v[i]) * k.beta_2 + (g * g) * k.fresh_2;
        const C step = m / (root(v) * k.spread + k.epsilon) * k.rate;
        if constexpr (kDecays && kKind == ops::WeightDecay::Decoupled) p = p - p * k.shrink;
        if constexpr (kDecays && kKind == ops::WeightDecay::Cautious) p = p - (step * p < 0 ? C(0) : p * k.shrink);
        at.p_out[i] = T(p - step);
        at.m_out[i] = T(m);
        at.v_out[i] = T(v);
    }
}

template <class T>
using AdamLoop = void (*)(const AdamArrays<T>&, std::int64_t, std::int64_t, const AdamNumbers<Compute<T>>&);

template <class T>
AdamLoop<T> adam_loop_of(const ops::AdamStep& op) {
    if (op.decay == 0) return adam_loop<T, ops::WeightDecay::L2, false>;
    switch (op.kind) {
        case ops::WeightDecay::L2: return adam_loop<T, ops::WeightDecay::L2, true>;
        case ops::WeightDecay::Decoupled: return adam_loop<T, ops::WeightDecay::Decoupled, true>;
        case ops::WeightDecay::Cautious: break;
    }
    return adam_loop<T, ops::WeightDecay::Cautious, true>;
}

/// Operand `i` itself as result where it may be overwritten, else a new tensor.
ops::Handle place_of(Args& args, std::size_t operand, std::size_t result, ops::Handle& keep) {
    if (args.reusable(operand)) return args.take(operand);
    keep = args.contiguous(operand);
    return args.make_result(result);
}

}  // namespace

ops::HandleList run(const ops::AdamStep& op, Args& args) {
    ops::Handle p_in;
    ops::Handle m_in;
    ops::Handle v_in;
    const ops::Handle grad = args.contiguous(1);
    ops::HandleList results;
    results.push_back(place_of(args, 0, 0, p_in));
    results.push_back(place_of(args, 2, 1, m_in));
    results.push_back(place_of(args, 3, 2, v_in));
    const auto source = [](const ops::Handle& kept, const ops::Handle& result) -> const NdTensor& {
        return NdTensor::of(kept ? kept : result);
    };
    visit_dtype(args.result_spec().dtype, [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            const AdamArrays<T> arrays{
                source(p_in, results[0]).template data<T>(), NdTensor::of(grad).data<T>(),
                source(m_in, results[1]).template data<T>(), source(v_in, results[2]).template data<T>(),
                NdTensor::of(results[0]).data<T>(),          NdTensor::of(results[1]).data<T>(),
                NdTensor::of(results[2]).data<T>()};
            const AdamNumbers<Compute<T>> numbers(op);
            const AdamLoop<T> loop = adam_loop_of<T>(op);
            constexpr std::int64_t kGrain = 16384;
            parallel_for(args.result_spec().shape.numel(), kGrain,
                         [&](std::int64_t begin, std::int64_t end) { loop(arrays, begin, end, numbers); });
        }
    });
    return results;
}

}  // namespace burn::ndarray
