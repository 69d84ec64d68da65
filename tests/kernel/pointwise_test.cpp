#include <burn/core/convert.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/element.h>
#include <burn/kernel/interpret.h>
#include <burn/kernel/pointwise.h>
#include <burn/ops/pointwise_rules.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/fuzz/mutator.h"

namespace burn::kernel::pointwise_test {
namespace {

using ops::Num;
using ops::OpCode;
using ops::Types;

constexpr std::uint16_t kLanes = 4;

/// Numbers at which rules have their edges, and any others.
template <class T>
T drawn(fuzz::Random& random) {
    if (random.one_in(4)) return element_of<T>(random.next());  // any bits: NaN and denormals among them
    constexpr double kEdges[] = {0, 1, -1, 2, 0.5, -0.5, 3, -3, 7, 100, -100, 1e30, -1e30, 31, 64};
    const double edge = random.one_in(8) ? std::numeric_limits<double>::infinity() : kEdges[random.below(15)];
    return convert_element<T>(random.one_in(6) ? -edge : edge);
}

/// Whether a line with these types is defined for elements of T.
template <class T>
constexpr bool takes(Types types) {
    constexpr bool floating = std::is_floating_point_v<T>, truth = std::is_same_v<T, bool>;
    switch (types) {
        case Types::Float: return floating;
        case Types::Int: return !floating && !truth;
        case Types::Bool: return truth;
        case Types::Numeric: return !truth;
        case Types::Any:
        case Types::MaskAny: return true;
    }
    return false;
}

/// A line of the table in a kernel, run in lanes, against the same line on numbers.
template <OpCode Code, class T>
void compare(fuzz::Random& random) {
    using Rule = ops::Rule<Code>;
    constexpr ops::PointwiseInfo info = Rule::info();
    if constexpr (takes<T>(info.types)) {
        constexpr bool masked = info.types == Types::MaskAny;
        using First = std::conditional_t<masked, bool, T>;
        using Result = std::conditional_t<info.bool_result, bool, T>;
        T operands[3][kLanes];
        First first[kLanes];
        for (auto& lanes : operands) {
            for (T& lane : lanes) lane = drawn<T>(random);
        }
        for (First& lane : first) lane = drawn<First>(random);
        const T s = drawn<T>(random), t = drawn<T>(random);

        Builder k(info.op.name);
        const Place x0 = k.buffer(dtype_of<First>, Access::Read), x1 = k.buffer(dtype_of<T>, Access::Read),
                    x2 = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<Result>, Access::Write);
        const std::vector<Value> values{x0.load(0, kLanes), x1.load(0, kLanes), x2.load(0, kLanes)};
        const std::span<const Value> used(values.data(), static_cast<std::size_t>(info.operands));
        const Value scalar_s = k.scalar(dtype_of<T>), scalar_t = k.scalar(dtype_of<T>);
        y.store(0, emit_pointwise(Code, used, scalar_s, scalar_t));
        Result results[kLanes];
        const auto view = [](auto* lanes) { return BufferElements{reinterpret_cast<std::byte*>(lanes), kLanes}; };
        const BufferElements buffers[] = {view(first), view(operands[1]), view(operands[2]), view(results)};
        const std::uint64_t scalars[] = {bits_of(s), bits_of(t)};
        interpret(k.finish(), buffers, scalars, 0, 1);

        for (std::size_t i = 0; i < kLanes; ++i) {
            const Num<T> b = operands[1][i], c = operands[2][i];
            const Num<Result> expected = Rule::forward(Num<First>(first[i]), b, c, Num<T>(s), Num<T>(t));
            const bool both_nan = expected.value != expected.value && results[i] != results[i];
            EXPECT_TRUE(both_nan || bits_of(results[i]) == bits_of(expected.value))
                << info.op.name << ' ' << name_of(dtype_of<T>) << ": " << +first[i] << ", " << +b.value << ", "
                << +c.value << ", s " << +s << ", t " << +t << ": " << +results[i] << "; expected " << +expected.value;
        }
    }
}

template <class T>
void compare_all() {
    fuzz::Random random(1);
    for (int round = 0; round < 60; ++round) {
#define POINTWISE(NAME, ...) compare<OpCode::NAME, T>(random);
#include <burn/ops/pointwise.def>
#undef POINTWISE
    }
}

// A kernel value says with selects what a number says with branches: they must agree, bit for bit but for NaN's.
TEST(Pointwise, F32LanesAgreeWithNumbers) { compare_all<float>(); }
TEST(Pointwise, F64LanesAgreeWithNumbers) { compare_all<double>(); }
TEST(Pointwise, I8LanesAgreeWithNumbers) { compare_all<std::int8_t>(); }
TEST(Pointwise, I32LanesAgreeWithNumbers) { compare_all<std::int32_t>(); }
TEST(Pointwise, U16LanesAgreeWithNumbers) { compare_all<std::uint16_t>(); }
TEST(Pointwise, U64LanesAgreeWithNumbers) { compare_all<std::uint64_t>(); }
TEST(Pointwise, BoolLanesAgreeWithNumbers) { compare_all<bool>(); }

TEST(Pointwise, GeluTakesTheNormalDistributionAsOneNode) {
    Builder k("gelu");
    const Value x = k.constant(DType::F32, 1);
    emit_pointwise(OpCode::gelu, std::span(&x, 1), Value(0), Value(0));
    const Kernel kernel = k.finish();
    const auto count = [&](NodeKind kind) {
        return std::ranges::count_if(kernel.nodes, [kind](const Node& node) { return node.kind == kind; });
    };
    EXPECT_EQ(count(NodeKind::NormalCdf), 1);
    EXPECT_EQ(count(NodeKind::Erf), 0);
    EXPECT_EQ(count(NodeKind::Mul), 1);
}

}  // namespace
}  // namespace burn::kernel::pointwise_test
