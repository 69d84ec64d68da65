#include <burn/backends/cpu/product_candidates.h>

#include <burn/base/error.h>
#include <burn/compiler/autotune/settings.h>

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>

#include "tests/backends/cpu/sample_product.h"

namespace burn::cpu::product_candidates_test {
namespace {

using burn::testing::WithThreads;
using ::testing::HasSubstr;

/// Rankings of an earlier run would be believed in place of measuring.
const int kNothingIsKept = ::setenv("BURN_CACHE_DIR", "off", 1);

class ProductCandidates : public ::testing::TestWithParam<std::size_t> {};

/// Runs products of all layouts by one candidate, and gives how many it could run.
template <class T>
int run_all(std::size_t candidate) {
    int able = 0;
    for_each_product([&](const ProductSizes& s) {
        SampleProduct<T> sample(s);
        if (!can_multiply(candidate, sample.get())) return;
        ++able;
        multiply_by(candidate, sample.get());
        EXPECT_EQ(sample.faults(), 0);
    });
    return able;
}

TEST_P(ProductCandidates, AgreeWithTheDefinition) {
    const autotune::Candidate& candidate = product_candidates()[GetParam()];
    if (candidate.version().empty()) GTEST_SKIP() << candidate.why_missing();
    for (const int threads : {1, 2, 4}) {
        const WithThreads with(threads);
        EXPECT_GT(run_all<float>(GetParam()), 300);
    }
    const bool has_doubles = GetParam() != 2;
    EXPECT_EQ(run_all<double>(GetParam()) > 300, has_doubles);
    EXPECT_EQ(run_all<f16>(GetParam()) > 300, GetParam() == 0);
    EXPECT_EQ(run_all<std::int32_t>(GetParam()) > 300, GetParam() == 0);
}

/// Runs the product, and expects that each row is told of once, when it is finished.
template <class T>
void expect_rows_told(const ProductSizes& s, FunctionRef<void(const ndarray::Product&)> multiply) {
    SampleProduct<T> sample(s);
    std::vector<std::atomic<int>> told(static_cast<std::size_t>(s.batch * s.m));
    std::atomic<int> too_early = 0;
    const auto look = [&](std::int64_t first, std::int64_t last) {
        too_early += sample.faults_in(first, last);
        for (std::int64_t row = first; row < last; ++row) ++told[static_cast<std::size_t>(row)];
    };
    const ndarray::RowsFinished finished(look);
    ndarray::Product product = sample.get();
    product.finished = &finished;
    multiply(product);
    EXPECT_EQ(too_early, 0);
    for (const std::atomic<int>& times : told) EXPECT_EQ(times, 1) << "row " << &times - told.data();
}

TEST_P(ProductCandidates, TellOfEachRowOnceWhenItIsFinished) {
    const autotune::Candidate& candidate = product_candidates()[GetParam()];
    if (candidate.version().empty()) GTEST_SKIP() << candidate.why_missing();
    for (const int threads : {1, 2, 3}) {
        const WithThreads with(threads);
        for_each_product([&](const ProductSizes& s) {
            if (!can_multiply(GetParam(), SampleProduct<float>(s).get())) return;
            expect_rows_told<float>(s, [&](const ndarray::Product& product) { multiply_by(GetParam(), product); });
        });
    }
}

TEST_P(ProductCandidates, SayWhetherTheyAreThere) {
    const autotune::Candidate& candidate = product_candidates()[GetParam()];
    EXPECT_EQ(candidate.version().empty(), !candidate.why_missing().empty());
    const SampleProduct<float> sample({.m = 4, .n = 5, .k = 6});
    EXPECT_EQ(can_multiply(GetParam(), sample.get()), !candidate.version().empty());
}

/// A key is coarser than a problem, and whoever is chosen must run the very one: tracel-ai/cubecl #1611.
TEST_P(ProductCandidates, SumsOfOnesOfEverySize) {
    for (std::int64_t k = 1; k <= 100; ++k) {
        for (std::int64_t heads = 1; heads <= 3; ++heads) {
            std::vector<float> a(static_cast<std::size_t>(heads * k), 1), b(static_cast<std::size_t>(heads * k * 5), 1);
            std::vector<float> c(static_cast<std::size_t>(heads * 5));
            ndarray::Product product;
            product.shape = {1, 5, k};
            product.batch.rank = 1;
            product.batch.sizes[0] = heads;
            product.batch.a_strides[0] = k;
            product.batch.b_strides[0] = 5 * k;
            product.batch.c_strides[0] = 5;
            product.a = {reinterpret_cast<std::byte*>(a.data()), k, 1};
            product.b = {reinterpret_cast<std::byte*>(b.data()), 5, 1};
            product.c = {reinterpret_cast<std::byte*>(c.data()), 5, 1};
            if (!can_multiply(GetParam(), product)) continue;
            multiply_by(GetParam(), product);
            EXPECT_THAT(c, ::testing::Each(static_cast<float>(k))) << k << ", " << heads;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, ProductCandidates, ::testing::Range<std::size_t>(0, 3),
                         [](const auto& info) { return std::string(product_candidates()[info.param].name); });

TEST(ProductChoice, RunsEveryProduct) {
    for_each_product([](const ProductSizes& s) {
        SampleProduct<float> sample(s);
        multiply_by_best(sample.get());
        EXPECT_EQ(sample.faults(), 0);
    });
    SampleProduct<std::int64_t> integers({.m = 3, .n = 4, .k = 5, .batch = 2});
    multiply_by_best(integers.get());
    EXPECT_EQ(integers.faults(), 0);
    for (const ndarray::GemmShape& shape : {ndarray::GemmShape{0, 4, 5}, {3, 0, 5}}) {
        ndarray::Product empty;
        empty.shape = shape;
        multiply_by_best(empty);
    }
    std::vector<float> sums(6, 7);
    ndarray::Product nothing;
    nothing.shape = {2, 3, 0};
    nothing.c = {reinterpret_cast<std::byte*>(sums.data()), 3, 1};
    multiply_by_best(nothing);
    EXPECT_THAT(sums, ::testing::Each(0)) << "a sum of nothing";
}

TEST(ProductChoice, TriesWithoutAddingToTheResult) {
    const autotune::Settings before = autotune::settings();
    autotune::set_settings({.tuning = autotune::Tuning::On, .seconds_per_problem = 0.001});
    SampleProduct<float> sample({.m = 31, .n = 18, .k = 21, .batch = 2, .accumulate = true});
    multiply_by_best(sample.get());
    autotune::set_settings(before);
    EXPECT_EQ(sample.faults(), 0) << "the product was added once";
    EXPECT_THAT(autotune::report(), HasSubstr("dtype=f32 batch=2 m=32 n=16 k=24 a=rows b=rows accumulate=1 threads="));
}

TEST(ProductChoice, ACandidateMustBeAble) {
    const SampleProduct<std::int64_t> integers({.m = 3, .n = 4, .k = 5});
    EXPECT_THROW(multiply_by(1, integers.get()), InternalError);
    EXPECT_THROW(multiply_by(17, integers.get()), InternalError);
}

}  // namespace
}  // namespace burn::cpu::product_candidates_test
