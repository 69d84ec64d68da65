// The stored results of PyTorch, on every backend, layout and decorator: tests/data-files/oracle.
#include "tests/conformance/not_covered.h"
#include "tests/conformance/run_case.h"

#include <gtest/gtest.h>

#include <set>

namespace burn::conformance::oracle_test {
namespace {

const char kFolder[] = "tests/data-files/oracle/";
const char* const kFamilies[] = {"activation",     "conv",  "indexing",  "linalg",           "loss",       "matmul",
                                 "norm_attention", "optim", "pointwise", "pool_interpolate", "reductions", "rnn",
                                 "schedulers",     "shape", "signal"};

class Oracle : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Oracle, AgreesOnEveryLayout) {
    const auto [backend_name, family_name] = GetParam();
    const TestedBackend& backend = *find_backend(backend_name);
    const Family family = load_family(std::string(kFolder) + family_name);
    int run = 0;
    for (const Case& oracle_case : family.cases) {
        if (skip_reason(oracle_case) != nullptr) continue;
        ++run;
        const std::vector<Failure> failures = run_case(backend, family, oracle_case);
        if (failures.empty()) continue;
        ADD_FAILURE() << oracle_case.name << ": " << failures[0].where << ": " << failures[0].what << " (and "
                      << failures.size() - 1 << " more ways)";
    }
    RecordProperty("cases", run);
}

std::vector<const char*> backend_names() {
    std::vector<const char*> names;
    for (const TestedBackend& backend : tested_backends()) names.push_back(backend.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Data, Oracle,
                         testing::Combine(testing::ValuesIn(backend_names()), testing::ValuesIn(kFamilies)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

TEST(OracleData, EveryPairOfFilesIsAFamilyOfTheSuite) {
    std::set<std::string> found;
    for (const std::string& stem : find_families(kFolder)) found.insert(stem.substr(sizeof(kFolder) - 1));
    EXPECT_EQ(found, std::set<std::string>(std::begin(kFamilies), std::end(kFamilies)));
}

// What is left out is counted, so that nothing can be left out unnoticed. Whoever adds an operation lowers a number.
TEST(OracleData, LeavesOutWhatTheTableSays) {
    int all = 0;
    int skipped = 0;
    std::set<std::string> skipped_ops;
    for (const std::string& stem : find_families(kFolder)) {
        const Family family = load_family(stem);
        for (const Case& oracle_case : family.cases) {
            ++all;
            if (skip_reason(oracle_case) == nullptr) continue;
            ++skipped;
            skipped_ops.insert(oracle_case.op);
        }
    }
    EXPECT_EQ(all, 1255);
    EXPECT_EQ(skipped, 414);
    for (const NotCovered& entry : not_covered())
        EXPECT_EQ(skipped_ops.count(entry.op), 1u) << entry.op << " has no case";
}

TEST(OracleData, NothingIsBothBoundAndLeftOut) {
    for (const NotCovered& entry : not_covered()) EXPECT_EQ(all_bindings().find(entry.op), nullptr) << entry.op;
}

}  // namespace
}  // namespace burn::conformance::oracle_test
