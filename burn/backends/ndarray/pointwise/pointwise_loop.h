#pragma once

#include <burn/backends/ndarray/pointwise/pointwise_loops.h>
#include <burn/ops/all_ops.h>
#include <burn/ops/pointwise_rules.h>

#include <type_traits>

/// The inner loops, made from the expressions of pointwise.def. Included by one source file per element type.

namespace burn::ndarray {

/// The type arithmetic is done in: half types compute in f32 and round once.
template <class T>
using Compute = std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, T>;

template <class T>
ops::Num<Compute<T>> load(T value) {
    return ops::Num<Compute<T>>(static_cast<Compute<T>>(value));
}

template <ops::OpCode Code, class T>
void pointwise_loop(const StridedRun& run, const ops::PointwiseAttributes& attributes) {
    using Rule = ops::Rule<Code>;
    constexpr ops::PointwiseInfo kInfo = Rule::info();
    using First = std::conditional_t<kInfo.types == ops::Types::MaskAny, bool, T>;
    using Result = std::conditional_t<kInfo.bool_result, bool, T>;
    const ops::Num<Compute<T>> s(attributes.s.to<Compute<T>>());
    const ops::Num<Compute<T>> t(attributes.t.to<Compute<T>>());
    const auto element = [s, t](First a, T b, T c) {
        return Result(Rule::forward(load(a), load(b), load(c), s, t).value);
    };

    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const bool packed = run.strides[0] == static_cast<std::int64_t>(sizeof(Result)) &&
                        run.strides[1] == static_cast<std::int64_t>(sizeof(First)) &&
                        (kInfo.operands < 2 || run.strides[2] == kSize) &&
                        (kInfo.operands < 3 || run.strides[3] == kSize);
    if (packed) {
        auto* out = reinterpret_cast<Result*>(run.data[0]);
        const auto* a = reinterpret_cast<const First*>(run.data[1]);
        const auto* b = reinterpret_cast<const T*>(kInfo.operands < 2 ? run.data[1] : run.data[2]);
        const auto* c = reinterpret_cast<const T*>(kInfo.operands < 3 ? run.data[1] : run.data[3]);
        for (std::int64_t i = 0; i < run.count; ++i) {
            out[i] = element(a[i], kInfo.operands < 2 ? T() : b[i], kInfo.operands < 3 ? T() : c[i]);
        }
        return;
    }
    if (kInfo.operands == 2 && !std::is_same_v<First, bool> &&
        run.strides[0] == static_cast<std::int64_t>(sizeof(Result))) {
        auto* out = reinterpret_cast<Result*>(run.data[0]);
        const auto* a = reinterpret_cast<const First*>(run.data[1]);
        const auto* b = reinterpret_cast<const T*>(run.data[2]);
        if (run.strides[1] == kSize && run.strides[2] == 0) {
            const T fixed = *b;
            for (std::int64_t i = 0; i < run.count; ++i) out[i] = element(a[i], fixed, T());
            return;
        }
        if (run.strides[1] == 0 && run.strides[2] == kSize) {
            const First fixed = *a;
            for (std::int64_t i = 0; i < run.count; ++i) out[i] = element(fixed, b[i], T());
            return;
        }
    }
    for (std::int64_t i = 0; i < run.count; ++i) {
        const auto a = *reinterpret_cast<const First*>(run.data[1] + i * run.strides[1]);
        T b{};
        T c{};
        if constexpr (kInfo.operands > 1) b = *reinterpret_cast<const T*>(run.data[2] + i * run.strides[2]);
        if constexpr (kInfo.operands > 2) c = *reinterpret_cast<const T*>(run.data[3] + i * run.strides[3]);
        *reinterpret_cast<Result*>(run.data[0] + i * run.strides[0]) = element(a, b, c);
    }
}

template <class T>
constexpr bool takes(ops::Types types) {
    switch (types) {
        case ops::Types::Float: return is_float(dtype_of<T>);
        case ops::Types::Int: return is_int(dtype_of<T>);
        case ops::Types::Bool: return dtype_of<T> == DType::Bool;
        case ops::Types::Numeric: return is_numeric(dtype_of<T>);
        case ops::Types::Any:
        case ops::Types::MaskAny: return true;
    }
    return false;
}

/// The loops of type `T` for the pointwise operations in a list of operations.
template <class T, class... Ops>
constexpr PointwiseLoops make_pointwise_loops(ops::OpList<Ops...>) {
    PointwiseLoops loops{};
    const auto add = [&loops]<class Op>(Op*) {
        if constexpr (requires { Op::kCode; }) {
            if constexpr (takes<T>(ops::Rule<Op::kCode>::info().types)) {
                loops[static_cast<std::size_t>(Op::kCode)] = &pointwise_loop<Op::kCode, T>;
            }
        }
    };
    (add(static_cast<Ops*>(nullptr)), ...);
    return loops;
}

}  // namespace burn::ndarray
