// The stored results of PyTorch on CpuEager, once for each library that may run products and convolutions there.
#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/compiler/autotune/settings.h>

#include "tests/conformance/not_covered.h"
#include "tests/conformance/run_case.h"

#include <gmock/gmock.h>

namespace burn::conformance::candidates_test {
namespace {

struct Wanted {
    const char* candidate;
    const char* family;
    std::span<const autotune::Candidate> candidates;
};

const Wanted kWanted[] = {
    {"openblas", "matmul", cpu::product_candidates()},
    {"onednn", "matmul", cpu::product_candidates()},
    {"onednn", "conv", cpu::convolution_candidates()},
};

void PrintTo(const Wanted& wanted, std::ostream* out) { *out << wanted.candidate << ' ' << wanted.family; }

class ByCandidate : public testing::TestWithParam<Wanted> {
protected:
    void SetUp() override {
        autotune::Settings settings = before_;
        settings.wanted = GetParam().candidate;
        autotune::set_settings(settings);
    }
    void TearDown() override { autotune::set_settings(before_); }

private:
    const autotune::Settings before_ = autotune::settings();
};

TEST_P(ByCandidate, AgreesWithPyTorch) {
    for (const autotune::Candidate& candidate : GetParam().candidates) {
        if (std::string_view(candidate.name) != GetParam().candidate || !candidate.version().empty()) continue;
        GTEST_SKIP() << candidate.why_missing();
    }
    const Family family = load_family(std::string("tests/data-files/oracle/") + GetParam().family);
    for (const Case& oracle_case : family.cases) {
        if (skip_reason(oracle_case) != nullptr) continue;
        for (const Failure& failure : run_case(*find_backend("cpu_eager"), family, oracle_case)) {
            ADD_FAILURE() << oracle_case.name << ": " << failure.where << ": " << failure.what;
        }
    }
    EXPECT_THAT(autotune::report(), testing::HasSubstr(std::string(GetParam().candidate) + ", as wanted"))
        << "the library ran nothing";
}

INSTANTIATE_TEST_SUITE_P(Oracle, ByCandidate, testing::ValuesIn(kWanted),
                         [](const auto& info) { return std::string(info.param.candidate) + "_" + info.param.family; });

}  // namespace
}  // namespace burn::conformance::candidates_test
