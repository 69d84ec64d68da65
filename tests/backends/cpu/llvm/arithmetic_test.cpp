#include <burn/kernel/expand.h>
#include <burn/ops/num.h>
#include <burn/ops/pointwise_parts.h>

#include <optional>

#include "../launch.h"
#include "samples.h"
#include "tests/kernel/ulps.h"

namespace burn::cpu::arithmetic_test {
namespace {

using kernel::NodeKind;
using ops::Num;

template <class T>
using ComputeType = decltype(number_of(T()));

/// What a comparison of `a` and `b` gives; nothing for other nodes.
template <class C>
std::optional<bool> compare(NodeKind kind, Num<C> a, Num<C> b) {
    switch (kind) {
        case NodeKind::Eq: return equal(a, b).value;
        case NodeKind::Ne: return not_equal(a, b).value;
        case NodeKind::Lt: return lower(a, b).value;
        case NodeKind::Le: return lower_equal(a, b).value;
        case NodeKind::Gt: return greater(a, b).value;
        case NodeKind::Ge: return greater_equal(a, b).value;
        default: return std::nullopt;
    }
}

template <std::floating_point C>
std::optional<Num<C>> compute(NodeKind kind, Num<C> a, Num<C> b, Num<C> c) {
    switch (kind) {
        case NodeKind::Add: return a + b;
        case NodeKind::Sub: return a - b;
        case NodeKind::Mul: return a * b;
        case NodeKind::Div: return a / b;
        case NodeKind::Rem: return fmod(a, b);
        case NodeKind::Fma: return Num<C>(std::fma(a.value, b.value, c.value));
        case NodeKind::Min: return min_pair(a, b);
        case NodeKind::Max: return max_pair(a, b);
        case NodeKind::Neg: return -a;
        case NodeKind::Abs: return abs(a);
        case NodeKind::Pow: return powf(a, b);
        case NodeKind::Atan2: return atan2(a, b);
        case NodeKind::Hypot: return hypot(a, b);
#define BURN_UNARY(KIND, NAME) \
    case NodeKind::KIND: return NAME(a);
            BURN_UNARY(Sqrt, sqrt)
            BURN_UNARY(Floor, floor)
            BURN_UNARY(Ceil, ceil)
            BURN_UNARY(Trunc, trunc)
            BURN_UNARY(Round, round)
            BURN_UNARY(Exp, exp)
            BURN_UNARY(Expm1, expm1)
            BURN_UNARY(Log, log)
            BURN_UNARY(Log1p, log1p)
            BURN_UNARY(Sin, sin)
            BURN_UNARY(Cos, cos)
            BURN_UNARY(Tan, tan)
            BURN_UNARY(Asin, asin)
            BURN_UNARY(Acos, acos)
            BURN_UNARY(Atan, atan)
            BURN_UNARY(Sinh, sinh)
            BURN_UNARY(Cosh, cosh)
            BURN_UNARY(Tanh, tanh)
            BURN_UNARY(Asinh, asinh)
            BURN_UNARY(Acosh, acosh)
            BURN_UNARY(Atanh, atanh)
            BURN_UNARY(Erf, erf)
            BURN_UNARY(NormalCdf, normal_cdf)
#undef BURN_UNARY
        default: return std::nullopt;
    }
}

template <std::integral C>
std::optional<Num<C>> compute(NodeKind kind, Num<C> a, Num<C> b, Num<C>) {
    if constexpr (std::is_same_v<C, bool>) {
        switch (kind) {
            case NodeKind::And: return bool_and(a, b);
            case NodeKind::Or: return bool_or(a, b);
            case NodeKind::Xor: return bool_xor(a, b);
            case NodeKind::Not: return bool_not(a);
            default: return std::nullopt;
        }
    } else {
        constexpr C width = sizeof(C) * 8;
        const Num<C> amount(static_cast<C>(b.value & (width - 1)));
        switch (kind) {
            case NodeKind::Add: return a + b;
            case NodeKind::Sub: return a - b;
            case NodeKind::Mul: return a * b;
            case NodeKind::Div: return a / b;
            case NodeKind::Rem:
                if (b.value == 0 || (std::is_signed_v<C> && b.value == static_cast<C>(-1))) return Num<C>(C(0));
                return Num<C>(static_cast<C>(a.value % b.value));
            case NodeKind::Min: return min_pair(a, b);
            case NodeKind::Max: return max_pair(a, b);
            case NodeKind::Neg: return -a;
            case NodeKind::Abs: return abs(a);
            case NodeKind::And: return bitwise_and(a, b);
            case NodeKind::Or: return bitwise_or(a, b);
            case NodeKind::Xor: return bitwise_xor(a, b);
            case NodeKind::Not: return bitwise_not(a);
            case NodeKind::Shl: return bitwise_left_shift(a, amount);
            case NodeKind::Shr: return bitwise_right_shift(a, amount);
            default: return std::nullopt;
        }
    }
}

bool is_elementwise(NodeKind kind) { return kind >= NodeKind::Add && kind <= NodeKind::Ge; }
bool is_comparison(NodeKind kind) { return kind >= NodeKind::Eq && kind <= NodeKind::Ge; }
bool is_shift(NodeKind kind) { return kind == NodeKind::Shl || kind == NodeKind::Shr; }

/// Whether elements of this type may meet in a node of this kind, as the kernel language says.
bool accepts(DType dtype, NodeKind kind) {
    kernel::Builder k("probe");
    const kernel::Value x = k.constant(dtype, 1);
    try {
        const kernel::Value operands[] = {x, x, x};
        k.emit_list(kind, {operands, static_cast<std::size_t>(kernel::info_of(kind).operands)});
        return true;
    } catch (const DTypeError&) {
        return false;
    }
}

/// Elements of a buffer: std::vector<bool> is none.
template <class T>
class Elements {
public:
    explicit Elements(std::size_t count) : count_(count), elements_(std::make_unique<T[]>(count)) {}
    T* data() { return elements_.get(); }
    T& operator[](std::size_t i) { return elements_[i]; }
    std::size_t size() const { return count_; }

private:
    std::size_t count_;
    std::unique_ptr<T[]> elements_;
};

/// Whether a result is within 2 ulp of the exact value, for the functions that are expanded into arithmetic.
template <class T, class C>
bool is_expanded_value(NodeKind kind, T result, Num<C> p, Num<C> q, Num<C> r) {
    if constexpr (std::is_floating_point_v<T>) {
        if (!kernel::is_expandable(kind, dtype_of<T>)) return false;
        const auto exact = compute<double>(kind, Num<double>(p.value), Num<double>(q.value), Num<double>(r.value));
        // Of a probability the places of 1/2 count, however small it is.
        const long double smallest = kind == NodeKind::NormalCdf ? 0.5L : 0;
        return exact && kernel::ulps(result, static_cast<long double>(exact->value), smallest) <= 2;
    } else {
        return false;
    }
}

/// All nodes that `T` goes into, on all pairs of samples, `lanes` at a time.
template <class T>
void check_all_nodes(std::uint16_t lanes) {
    SCOPED_TRACE(testing::Message() << name_of(dtype_of<T>) << "x" << lanes);
    const DType dtype = dtype_of<T>;
    const std::vector<T> values = samples<T>();
    const std::size_t n = values.size(), cubes = (n * n + lanes - 1) / lanes, padded = cubes * lanes;
    Elements<T> a(padded), b(padded), c(padded);
    for (std::size_t i = 0; i < n * n; ++i) {
        a[i] = values[i / n];
        b[i] = values[i % n];
        c[i] = values[(i * 7 + i / n) % n];
    }

    kernel::Builder k("nodes");
    const kernel::Place x = k.buffer(dtype, kernel::Access::Read), y = k.buffer(dtype, kernel::Access::Read),
                        z = k.buffer(dtype, kernel::Access::Read);
    const kernel::Value at = k.cube_index() * lanes;
    const kernel::Value operands[] = {x.load(at, lanes), y.load(at, lanes), z.load(at, lanes)};
    std::vector<NodeKind> kinds;
    for (std::size_t i = 0; i < kernel::kNodeKinds; ++i) {
        const auto kind = static_cast<NodeKind>(i);
        if (!is_elementwise(kind) || !accepts(dtype, kind)) continue;
        kinds.push_back(kind);
        std::vector<kernel::Value> taken(operands, operands + kernel::info_of(kind).operands);
        if (is_shift(kind)) taken[1] = bitwise_and(taken[1], static_cast<int>(sizeof(T) * 8 - 1));
        const kernel::Place out = k.buffer(is_comparison(kind) ? DType::Bool : dtype, kernel::Access::Write);
        out.store(at, k.emit_list(kind, taken));
    }
    Launch launch(k.finish());
    launch.buffer(a.data()).buffer(b.data()).buffer(c.data());
    std::vector<Elements<T>> results;
    std::vector<Elements<std::uint8_t>> truths;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        results.emplace_back(padded);
        truths.emplace_back(padded);
        if (is_comparison(kinds[i])) {
            launch.buffer(truths[i].data());
        } else {
            launch.buffer(results[i].data());
        }
    }
    launch.run(0, static_cast<std::int64_t>(cubes));

    for (std::size_t i = 0; i < kinds.size(); ++i) {
        int faults = 0;
        for (std::size_t j = 0; j < n * n && faults < 5; ++j) {
            using C = ComputeType<T>;
            const Num<C> p(number_of(a[j])), q(number_of(b[j])), r(number_of(c[j]));
            const auto truth = compare<C>(kinds[i], p, q);
            const auto number = compute<C>(kinds[i], p, q, r);
            ASSERT_TRUE(truth || number) << "no reference for " << kernel::info_of(kinds[i]).text;
            const T expected = number ? T(number->value) : T();
            const bool right =
                truth ? truths[i][j] == static_cast<std::uint8_t>(*truth)
                      : same_element(results[i][j], expected) || is_expanded_value(kinds[i], results[i][j], p, q, r);
            if (right) continue;
            ++faults;
            ADD_FAILURE() << kernel::info_of(kinds[i]).text << " of " << +p.value << ", " << +q.value << ", "
                          << +r.value << ": " << +number_of(results[i][j]) << " (" << +truths[i][j] << "), expected "
                          << +number_of(expected) << (truth ? *truth ? " (true)" : " (false)" : "");
        }
    }
}

template <class T>
class ArithmeticTest : public testing::Test {};

using ElementTypes = testing::Types<double, float, f16, bf16, std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                                    std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t, bool>;
TYPED_TEST_SUITE(ArithmeticTest, ElementTypes);

TYPED_TEST(ArithmeticTest, OneElementIsWhatNumSays) { check_all_nodes<TypeParam>(1); }

TYPED_TEST(ArithmeticTest, AVectorIsWhatNumSaysOnEveryInstructionSet) {
    on_every_isa([] {
        check_all_nodes<TypeParam>(static_cast<std::uint16_t>(
            std::min(static_cast<std::size_t>(code_generator()->vector_bytes()) / sizeof(TypeParam), std::size_t{64})));
    });
}

TYPED_TEST(ArithmeticTest, AnOddNumberOfLanesIsWhatNumSays) { check_all_nodes<TypeParam>(5); }

}  // namespace
}  // namespace burn::cpu::arithmetic_test
