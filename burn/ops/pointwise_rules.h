#pragma once

#include <burn/ops/expr.h>
#include <burn/ops/num.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/pointwise_parts.h>
#include <burn/ops/probe.h>

namespace burn::ops {

/// A gradient that is not there: the operand is a mask.
struct None {};

/// The cotangents of the operands of a pointwise operation.
template <class... Parts>
struct Gradients {
    constexpr Gradients(Parts... values) : parts(values...) {}  // NOLINT: written by the table

    static constexpr std::size_t kCount = sizeof...(Parts);
    template <class... Ts>
    struct Chain {};
    template <class First, class... Rest>
    struct Chain<First, Rest...> {
        constexpr Chain(First first, Rest... rest) : first(first), rest(rest...) {}
        First first;
        Chain<Rest...> rest;
    };
    Chain<Parts...> parts;
};
template <>
struct Gradients<> {
    static constexpr std::size_t kCount = 0;
};
template <class... Parts>
Gradients(Parts...) -> Gradients<Parts...>;

/// The expressions of one line of the table: `info`, `forward(a, b, c, s, t)` and `gradient(a, b, c, s, t, y, dy)`.
template <OpCode Code>
struct Rule;

namespace detail {

/// What a gradient expression looks at, found by running it on probes.
template <class... Parts>
constexpr unsigned seen_by(const Gradients<Parts...>& gradients) {
    unsigned seen = 0;
    const auto walk = [&seen](auto&& self, const auto& chain) -> void {
        if constexpr (requires { chain.first; }) {
            if constexpr (requires { chain.first.seen; }) seen |= chain.first.seen;
            self(self, chain.rest);
        }
    };
    if constexpr (sizeof...(Parts) > 0) walk(walk, gradients.parts);
    return seen;
}

template <class RuleType>
constexpr Saves saves_of() {
    const unsigned seen =
        seen_by(RuleType::gradient(Probe::of(1), Probe::of(2), Probe::of(4), Probe(), Probe(), Probe::of(8), Probe()));
    return {seen & 7u, (seen >> 3) & 1u};
}

}  // namespace detail

// The parameters that an expression does not use are of no concern.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define BURN_RULE(NAME, OPERANDS, SCALARS, TYPES, RESULT, FORWARD, GRADIENTS, DOMAIN, DOC, COMPOSITE)   \
    template <>                                                                                         \
    struct Rule<OpCode::NAME> {                                                                         \
        static constexpr bool kComposite = COMPOSITE;                                                   \
        static constexpr auto forward = [](auto a, auto b, auto c, auto s, auto t) { return FORWARD; }; \
        static constexpr auto gradient = [](auto a, auto b, auto c, auto s, auto t, auto y, auto dy) {  \
            return Gradients GRADIENTS;                                                                 \
        };                                                                                              \
        static constexpr PointwiseInfo info() {                                                         \
            return {{#NAME, DOC, COMPOSITE ? OpKind::Composite : OpKind::Pointwise, OPERANDS, 1,        \
                     detail::saves_of<Rule>()},                                                         \
                    OpCode::NAME,                                                                       \
                    OPERANDS,                                                                           \
                    SCALARS,                                                                            \
                    Types::TYPES,                                                                       \
                    detail::Result::RESULT == detail::Result::Bool,                                     \
                    Domain::DOMAIN};                                                                    \
        }                                                                                               \
    };

namespace detail {
enum class Result { Same, Bool };
}

#define POINTWISE(NAME, OPERANDS, SCALARS, TYPES, RESULT, FORWARD, GRADIENTS, DOMAIN, DOC) \
    BURN_RULE(NAME, OPERANDS, SCALARS, TYPES, RESULT, FORWARD, GRADIENTS, DOMAIN, DOC, false)
#define POINTWISE_COMPOSITE(NAME, OPERANDS, SCALARS, TYPES, RESULT, FORWARD, GRADIENTS, DOMAIN, DOC) \
    BURN_RULE(NAME, OPERANDS, SCALARS, TYPES, RESULT, FORWARD, GRADIENTS, DOMAIN, DOC, true)
#include <burn/ops/pointwise.def>
#undef POINTWISE
#undef POINTWISE_COMPOSITE
#undef BURN_RULE

#pragma GCC diagnostic pop

}  // namespace burn::ops
