#include <burn/ops/num.h>

#include <cmath>

#include "../launch.h"
#include "samples.h"
#include "tests/kernel/sweep.h"
#include "tests/kernel/ulps.h"

namespace burn::cpu::table_functions_test {
namespace {

using kernel::NodeKind;

/// y = f(x), `lanes` at a time.
kernel::Kernel applied(NodeKind kind, std::uint16_t lanes) {
    kernel::Builder k("applied");
    const kernel::Place x = k.buffer(DType::F32, kernel::Access::Read), y = k.buffer(DType::F32, kernel::Access::Write);
    const kernel::Value at = k.cube_index() * static_cast<std::int64_t>(lanes);
    y.store(at, k.emit(kind, {x.load(at, lanes)}));
    return k.finish();
}

/// The kernel's results for x, whose size is a multiple of the lanes.
std::vector<float> results(NodeKind kind, std::uint16_t lanes, std::vector<float> x) {
    std::vector<float> y(x.size());
    Launch(applied(kind, lanes)).buffer(x).buffer(y).run(0, static_cast<std::int64_t>(x.size()) / lanes);
    return y;
}

struct FunctionCase {
    NodeKind kind;
    double (*exact)(double x);
    double worst;         ///< in ulps; over all inputs, found by the full sweep
    double smallest = 0;  ///< whose places count where results are smaller
};

double normal_cdf(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

constexpr FunctionCase kFunctions[] = {
    {NodeKind::Exp, std::exp, 0.99},
    {NodeKind::Log, std::log, 1.24},
    {NodeKind::Tanh, std::tanh, 0.84},
    {NodeKind::Erf, std::erf, 1.23},
    {NodeKind::NormalCdf, normal_cdf, 1.01, 0.5},
};

/// On processors with AVX-512, whose functions these are.
class TableFunctions : public testing::TestWithParam<FunctionCase> {
protected:
    void SetUp() override {
        if (!isa_supported(Isa::Avx512)) GTEST_SKIP() << "this processor has no AVX-512";
        before_ = active_isa();
        set_active_isa(Isa::Avx512);
    }
    void TearDown() override { set_active_isa(before_); }

private:
    Isa before_ = active_isa();
};

TEST_P(TableFunctions, AreWithinTheirUlpsOfTheExactValue) {
    const FunctionCase& function = GetParam();
    double worst = 0;
    float at = 0, gave = 0;
    const auto look = [&](const std::vector<float>& x) {
        const std::vector<float> y = results(function.kind, 16, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double distance = kernel::ulps(y[i], function.exact(x[i]), function.smallest);
            if (distance <= worst) continue;
            worst = distance;
            at = x[i];
            gave = y[i];
        }
    };
    std::vector<float> x = kernel::edges();
    for (std::uint64_t bits = 0; bits < 1ull << 32; bits += kernel::sweep_stride()) {
        x.push_back(kernel::float_of(static_cast<std::uint32_t>(bits)));
        if (x.size() >= 1 << 16 && x.size() % 16 == 0) {
            look(x);
            x.clear();
        }
    }
    x.resize((x.size() + 15) / 16 * 16);
    look(x);
    EXPECT_LE(worst, function.worst) << "at " << at << ": " << gave << ", exactly " << function.exact(at);
    EXPECT_GT(worst, 0.4) << "a sweep that finds no rounding looked at nothing";
    RecordProperty("ulps", std::to_string(worst));
}

TEST_P(TableFunctions, GiveTheSameBitsInEveryLaneOfEveryVector) {
    const NodeKind kind = GetParam().kind;
    std::vector<float> x = kernel::edges();
    for (std::uint32_t i = 0; i < 1024; ++i) x.push_back(kernel::float_of(i * 4194301));
    x.resize(x.size() / 960 * 960);  // a multiple of all numbers of lanes below
    const std::vector<float> expected = results(kind, 16, x);
    for (const std::uint16_t lanes : {1, 2, 5, 8, 15, 32, 40, 64}) {
        const std::vector<float> y = results(kind, lanes, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_TRUE(same_element(y[i], expected[i])) << x[i] << " in vectors of " << lanes;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Functions, TableFunctions, testing::ValuesIn(kFunctions),
                         [](const auto& param) { return kernel::info_of(param.param.kind).text; });

TEST_P(TableFunctions, KeepNanAndTakeInfinity) {
    const FunctionCase& function = GetParam();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> x(16, std::numeric_limits<float>::quiet_NaN());
    x[1] = kInfinity, x[2] = -kInfinity, x[3] = -0.0f, x[4] = 0, x[5] = 1e30f, x[6] = -1e30f;
    const std::vector<float> y = results(function.kind, 16, x);
    EXPECT_TRUE(std::isnan(y[0]));
    for (std::size_t i = 1; i < 7; ++i) {
        EXPECT_TRUE(same_element(y[i], static_cast<float>(function.exact(x[i])))) << x[i] << ": " << y[i];
    }
}

}  // namespace
}  // namespace burn::cpu::table_functions_test
