#include <burn/kernel/builder.h>
#include <burn/kernel/element.h>
#include <burn/kernel/expand.h>
#include <burn/kernel/expand_arc.h>
#include <burn/kernel/expand_erf.h>
#include <burn/kernel/expand_exp.h>
#include <burn/kernel/expand_f64.h>
#include <burn/kernel/expand_log.h>
#include <burn/kernel/expand_trig.h>
#include <burn/kernel/expand_wide.h>
#include <burn/kernel/interpret.h>
#include <gtest/gtest.h>

#include "tests/fuzz/mutator.h"
#include "tests/kernel/random_kernel.h"
#include "tests/kernel/sweep.h"
#include "tests/kernel/ulps.h"

namespace burn::kernel::expand_test {
namespace {

using Number = Num<float>;

/// A function of one f32: its expansion on a number, what it should be, and how far off it may be.
struct UnaryCase {
    NodeKind kind;
    Number (*expansion)(const Number& x);
    double (*exact)(double x);
    double worst;         ///< in ulps; over all inputs, found by the full sweep
    double smallest = 0;  ///< whose places count where results are smaller
};

double normal_cdf(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

constexpr UnaryCase kUnary[] = {
    {NodeKind::Exp, expanded_exp, std::exp, 1.04},
    {NodeKind::Expm1, expanded_expm1, std::expm1, 1.56},
    {NodeKind::Log, expanded_log, std::log, 0.89},
    {NodeKind::Log1p, expanded_log1p, std::log1p, 1.51},
    {NodeKind::Sin, expanded_sin, std::sin, 1.55},
    {NodeKind::Cos, expanded_cos, std::cos, 1.56},
    {NodeKind::Tan, expanded_tan, std::tan, 1.69},
    {NodeKind::Asin, expanded_asin, std::asin, 1.11},
    {NodeKind::Acos, expanded_acos, std::acos, 1.08},
    {NodeKind::Atan, expanded_atan, std::atan, 1.21},
    {NodeKind::Sinh, expanded_sinh, std::sinh, 1.62},
    {NodeKind::Cosh, expanded_cosh, std::cosh, 1.51},
    {NodeKind::Tanh, expanded_tanh, std::tanh, 1.34},
    {NodeKind::Asinh, expanded_asinh, std::asinh, 0.51},
    {NodeKind::Acosh, expanded_acosh, std::acosh, 0.51},
    {NodeKind::Atanh, expanded_atanh, std::atanh, 0.51},
    {NodeKind::Erf, expanded_erf, std::erf, 1.08},
    {NodeKind::NormalCdf, expanded_normal_cdf, normal_cdf, 1.16, 0.5},
};

struct BinaryCase {
    NodeKind kind;
    Number (*expansion)(const Number& x, const Number& y);
    double (*exact)(double x, double y);
    double worst;
};

constexpr BinaryCase kBinary[] = {
    {NodeKind::Pow, expanded_pow, std::pow, 0.53},
    {NodeKind::Atan2, expanded_atan2, std::atan2, 1.51},
    {NodeKind::Hypot, expanded_hypot, std::hypot, 0.51},
};

class ExpandUnary : public testing::TestWithParam<UnaryCase> {};

TEST_P(ExpandUnary, IsWithinItsUlpsOfTheExactValue) {
    const UnaryCase& unary = GetParam();
    double worst = 0;
    float at = 0;
    const auto look = [&](float x) {
        const double distance = ulps(unary.expansion(x).value, unary.exact(x), unary.smallest);
        if (distance > worst) {
            worst = distance;
            at = x;
        }
    };
    for (const float x : edges()) look(x);
    for (std::uint64_t bits = 0; bits < 1ull << 32; bits += sweep_stride()) {
        look(float_of(static_cast<std::uint32_t>(bits)));
    }
    EXPECT_LE(worst, unary.worst) << "at " << at << ": " << unary.expansion(at).value << ", exactly "
                                  << unary.exact(at);
    EXPECT_GT(worst, 0.4) << "a sweep that finds no rounding looked at nothing";
    RecordProperty("ulps", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Functions, ExpandUnary, testing::ValuesIn(kUnary),
                         [](const auto& param) { return info_of(param.param.kind).text; });

class ExpandBinary : public testing::TestWithParam<BinaryCase> {};

TEST_P(ExpandBinary, IsWithinItsUlpsOfTheExactValue) {
    const BinaryCase& binary = GetParam();
    double worst = 0;
    float at_x = 0, at_y = 0;
    const auto look = [&](float x, float y) {
        const double distance = ulps(binary.expansion(x, y).value, binary.exact(x, y));
        if (distance > worst) {
            worst = distance;
            at_x = x;
            at_y = y;
        }
    };
    const std::vector<float> special = edges();
    for (std::size_t i = 0; i < special.size(); i += 4) {
        for (const float y : special) {
            look(special[i], y);
            look(-special[i], y);
        }
    }
    fuzz::Random random(1);
    const std::uint64_t rounds = (1ull << 32) / sweep_stride() / 4;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        const float x = float_of(static_cast<std::uint32_t>(random.next()));
        look(x, float_of(static_cast<std::uint32_t>(random.next())));
        look(x, static_cast<float>(static_cast<int>(random.below(61)) - 30));  // integers: powers of negative numbers
        look(static_cast<float>(random.below(2000)) / 100 - 10, static_cast<float>(random.below(2000)) / 100 - 10);
        // Powers whose results are neither 0 nor infinite, down to the subnormals.
        const double size = static_cast<double>(random.below(1 << 20)) / (1 << 20) * 280 - 151;
        look(std::abs(x), static_cast<float>(size / std::log2(std::abs(static_cast<double>(x)))));
        const float near_one = 1 + static_cast<float>(random.below(1 << 16)) * 0x1p-24f - 0x1p-9f;
        look(near_one, static_cast<float>(size / std::log2(static_cast<double>(near_one))));
    }
    EXPECT_LE(worst, binary.worst) << "at " << at_x << ", " << at_y << ": " << binary.expansion(at_x, at_y).value
                                   << ", exactly " << binary.exact(at_x, at_y);
    EXPECT_GT(worst, 0.4) << "a sweep that finds no rounding looked at nothing";
    RecordProperty("ulps", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Functions, ExpandBinary, testing::ValuesIn(kBinary),
                         [](const auto& param) { return info_of(param.param.kind).text; });

TEST(Expand, F64FunctionsAreWithinAnUlp) {
    double worst_exp = 0, worst_log = 0;
    const auto look = [&](double x) {
        worst_exp =
            std::max(worst_exp, ulps(expanded_exp_f64(Num<double>(x)).value, std::exp(static_cast<long double>(x))));
        worst_log =
            std::max(worst_log, ulps(expanded_log_f64(Num<double>(x)).value, std::log(static_cast<long double>(x))));
    };
    for (const double center : {0.0, 0x1p-1074, 0x1p-1022, 0x1p-54, 0.34657359027997264, 0.70710678118654746, 1.0,
                                1.4142135623730949, 708.39641853226408, 709.78271289338397, 745.13321910194122, 746.0,
                                std::numeric_limits<double>::max(), kInfinity}) {
        const auto bits = std::bit_cast<std::uint64_t>(center);
        for (std::uint64_t step = 0; step < 8; ++step) {
            for (const std::uint64_t near : {bits + step, bits - step}) {
                look(std::bit_cast<double>(near));
                look(-std::bit_cast<double>(near));
            }
        }
    }
    fuzz::Random random(1);
    for (int i = 0; i < 50'000; ++i) {
        look(std::bit_cast<double>(random.next()));
        look(static_cast<double>(random.next() >> 11) * 0x1p-53 * 1460 - 747);
        look(static_cast<double>(random.next() >> 11) * 0x1p-53 * 4);
    }
    EXPECT_LE(worst_exp, 1.0);
    EXPECT_LE(worst_log, 0.81);
    EXPECT_GT(std::min(worst_exp, worst_log), 0.4) << "a sweep that finds no rounding looked at nothing";
}

TEST(Expand, ExpIsMonotoneWhereItOverflowsAndVanishes) {
    for (const float center : {88.72284f, -87.33655f, -103.97208f, 0.34657359f, -0.34657359f}) {
        const auto bits = std::bit_cast<std::uint32_t>(center);
        for (std::uint32_t i = bits - 2000; i < bits + 2000; ++i) {
            const float low = center > 0 ? float_of(i) : float_of(i + 1),
                        high = center > 0 ? float_of(i + 1) : float_of(i);
            EXPECT_LE(expanded_exp<Number>(low).value, expanded_exp<Number>(high).value) << low;
        }
    }
    EXPECT_EQ(expanded_exp<Number>(-103.0f).value, 0x1p-149f) << "e^-103 is a subnormal number";
}

// ---- as a rewriting of kernels

/// y = f(x), `lanes` at a time.
Kernel applied(NodeKind kind, DType dtype, std::uint16_t lanes) {
    Builder k("applied");
    const Place x = k.buffer(dtype, Access::Read), x2 = k.buffer(dtype, Access::Read),
                y = k.buffer(dtype, Access::Write);
    const Value i = k.cube_index() * static_cast<std::int64_t>(lanes), a = x.load(i, lanes);
    y.store(i, info_of(kind).operands == 1 ? k.emit(kind, {a}) : k.emit(kind, {a, x2.load(i, lanes)}));
    return k.finish();
}

template <class T>
std::vector<T> run(const Kernel& kernel, std::vector<T> x, std::vector<T> x2, std::int64_t lanes) {
    std::vector<T> y(x.size());
    const auto view = [](std::vector<T>& values) {
        return BufferElements{reinterpret_cast<std::byte*>(values.data()), static_cast<std::int64_t>(values.size())};
    };
    const BufferElements buffers[] = {view(x), view(x2), view(y)};
    interpret(kernel, buffers, {}, 0, static_cast<std::int64_t>(x.size()) / lanes);
    return y;
}

int count(const Kernel& kernel, NodeKind kind) {
    return static_cast<int>(std::count_if(kernel.nodes.begin(), kernel.nodes.end(),
                                          [kind](const Node& node) { return node.kind == kind; }));
}

bool has_expandable(const Kernel& kernel) {
    return std::any_of(kernel.nodes.begin(), kernel.nodes.end(),
                       [](const Node& node) { return is_expandable(node.kind, node.type.dtype); });
}

bool is_same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST(Expand, KernelsComputeWhatNumbersDo) {
    std::vector<float> x = edges();
    x.resize(x.size() / 8 * 8);
    std::vector<float> x2(x.rbegin(), x.rend());
    for (const UnaryCase& unary : kUnary) {
        for (const std::uint16_t lanes : {1, 8}) {
            const std::vector<float> y = run(expand(applied(unary.kind, DType::F32, lanes)), x, x2, lanes);
            for (std::size_t i = 0; i < x.size(); ++i) {
                ASSERT_TRUE(is_same(y[i], unary.expansion(x[i]).value)) << info_of(unary.kind).text << ' ' << x[i];
            }
        }
    }
    for (const BinaryCase& binary : kBinary) {
        const std::vector<float> y = run(expand(applied(binary.kind, DType::F32, 8)), x, x2, 8);
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_TRUE(is_same(y[i], binary.expansion(x[i], x2[i]).value))
                << info_of(binary.kind).text << ' ' << x[i] << ' ' << x2[i];
        }
    }
}

TEST(Expand, F64KernelsComputeWhatNumbersDo) {
    std::vector<double> x{0.0, -0.0, 1.0, -1.0, 0.1, 2.5, 700.0, -700.0, -740.0, 1e-310, 1e300, 0x1p-1074};
    const std::vector<double> exp = run(expand(applied(NodeKind::Exp, DType::F64, 4)), x, x, 4),
                              log = run(expand(applied(NodeKind::Log, DType::F64, 4)), x, x, 4);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(exp[i], expanded_exp_f64(Num<double>(x[i])).value) << x[i];
        if (x[i] >= 0) {
            EXPECT_EQ(log[i], expanded_log_f64(Num<double>(x[i])).value) << x[i];
        } else {
            EXPECT_TRUE(std::isnan(log[i])) << x[i];
        }
    }
}

TEST(Expand, HalfTypesAreComputedInF32AndRounded) {
    std::vector<f16> x(1 << 16);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = element_of<f16>(i);
    const std::vector<f16> y = run(expand(applied(NodeKind::Exp, DType::F16, 8)), x, x, 8);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto expected = static_cast<float>(f16(expanded_exp<Number>(static_cast<float>(x[i])).value));
        ASSERT_TRUE(is_same(static_cast<float>(y[i]), expected)) << static_cast<float>(x[i]);
    }
    EXPECT_EQ(count(expand(applied(NodeKind::Tanh, DType::BF16, 4)), NodeKind::Tanh), 0);
}

TEST(Expand, NoFunctionIsLeftThatCanBeExpanded) {
    for (std::size_t i = 0; i < kNodeKinds; ++i) {
        const auto kind = static_cast<NodeKind>(i);
        if (!is_expandable(kind, DType::F32)) continue;
        const Kernel kernel = applied(kind, DType::F32, 8);
        const Kernel expanded = expand(kernel);
        EXPECT_FALSE(has_expandable(expanded)) << info_of(kind).text;
        EXPECT_EQ(expand(kernel, ExpandOptions().keep(kind)), kernel) << info_of(kind).text;
        const Kernel wide = applied(kind, DType::F64, 4);
        EXPECT_EQ(expand(wide) == wide, kind != NodeKind::Exp && kind != NodeKind::Log) << info_of(kind).text;
        EXPECT_EQ(expand(wide, ExpandOptions().keep(kind)), expand(wide)) << info_of(kind).text;
        EXPECT_FALSE(has_expandable(expand(wide))) << info_of(kind).text;
        const bool is_circular = kind == NodeKind::Sin || kind == NodeKind::Cos || kind == NodeKind::Tan;
        EXPECT_EQ(count(expanded, NodeKind::If), is_circular ? 1 : 0) << info_of(kind).text << ": branch-free";
    }
    EXPECT_FALSE(is_expandable(NodeKind::Sqrt, DType::F32));
    EXPECT_FALSE(is_expandable(NodeKind::Add, DType::F32));
}

TEST(Expand, ReachesIntoEveryBlock) {
    Builder k("blocks", 2, 2);
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    const Variable left = k.variable(x.load(0));
    k.while_loop([&] { return greater(sin(left), 0.5); }, [&] { left = left.get() + exp(left.get() * 0.1); });
    k.for_loop(0, 2, 1, [&](Value i) {
        k.if_else(
            equal(i, 0), [&] { x.store(k.unit_index() + 2, log(left.get())); },
            [&] { x.store(k.unit_index() + 4, cos(left.get())); });
    });
    const Kernel kernel = k.finish(), expanded = expand(kernel);
    EXPECT_FALSE(has_expandable(expanded));
    const auto result = [](const Kernel& run) {
        std::vector<float> values{1, 0, 0, 0, 0, 0};
        const BufferElements buffers[] = {{reinterpret_cast<std::byte*>(values.data()), 6}};
        interpret(run, buffers, {}, 0, 1);
        return values;
    };
    const std::vector<float> exact = result(kernel), near = result(expanded);
    EXPECT_EQ(exact[2], exact[3]);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(exact[i], near[i], 1e-5f) << i;
}

TEST(Expand, TakesEveryRandomKernel) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Kernel kernel = random_kernel(seed, 60), expanded = expand(kernel);
        EXPECT_FALSE(has_expandable(expanded)) << seed;
    }
}

}  // namespace
}  // namespace burn::kernel::expand_test
