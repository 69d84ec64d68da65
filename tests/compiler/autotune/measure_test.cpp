#include <burn/compiler/autotune/measure.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "fake_timer.h"

namespace burn::autotune::measure_test {
namespace {

using testing::ElementsAre;

/// Candidates that take so many seconds a run, and what was run in which order.
struct Costs {
    FakeTimer timer;
    std::vector<double> seconds;
    std::vector<std::size_t> order;

    void operator()(std::size_t candidate) {
        order.push_back(candidate);
        timer.time += seconds[candidate];
    }
};

constexpr std::size_t kAll[] = {0, 1, 2};

TEST(Measure, GivesTheTimeOfOneRun) {
    Costs costs{.timer = {}, .seconds = {2.9e-3, 2e-3, 2.5e-3}, .order = {}};
    const auto timings = measure(kAll, costs, costs.timer, {});
    ASSERT_EQ(timings.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(timings[i].candidate, i);
        EXPECT_NEAR(timings[i].fastest, costs.seconds[i], 1e-9);
        EXPECT_NEAR(timings[i].median, costs.seconds[i], 1e-9);
        EXPECT_EQ(timings[i].samples, 9);
        EXPECT_EQ(timings[i].failure, "");
    }
}

TEST(Measure, InterleavesRoundsAndBeginsEachWithAnother) {
    Costs costs{.timer = {}, .seconds = {2, 2, 2}, .order = {}};
    measure(kAll, costs, costs.timer, {.rounds = 3, .budget_seconds = 1000});
    EXPECT_THAT(costs.order, ElementsAre(0, 0, 1, 1, 2, 2,  // to warm up, and to see how long one takes
                                         0, 1, 2, 1, 2, 0, 2, 0, 1));
}

TEST(Measure, TimesShortRunsSeveralAtOnce) {
    Costs costs{.timer = {}, .seconds = {1e-4}, .order = {}};
    const std::size_t only[] = {0};
    measure(only, costs, costs.timer, {.rounds = 2, .sample_seconds = 1.05e-3});
    EXPECT_EQ(costs.order.size(), 2u + 2 * 10);
    Costs still{.timer = {}, .seconds = {0}, .order = {}};
    measure(only, still, still.timer, {.rounds = 1});
    EXPECT_EQ(still.order.size(), 2u + 1000) << "a clock that stands still";
}

TEST(Measure, BeginsNoRoundBehindItsBudget) {
    Costs costs{.timer = {}, .seconds = {1, 1, 1}, .order = {}};
    auto timings = measure(kAll, costs, costs.timer, {.budget_seconds = 10});
    EXPECT_EQ(timings[0].samples, 4) << "3 s a round; warming up does not count";
    timings = measure(kAll, costs, costs.timer, {.budget_seconds = 0});
    EXPECT_EQ(timings[0].samples, 1) << "a result needs one round";
}

TEST(Measure, DropsTheHopelessAfterTwoRounds) {
    Costs costs{.timer = {}, .seconds = {1, 1.4, 1.6}, .order = {}};
    const auto timings = measure(kAll, costs, costs.timer, {.rounds = 5, .budget_seconds = 1000, .hopeless = 1.5});
    EXPECT_EQ(timings[0].samples, 5);
    EXPECT_EQ(timings[1].samples, 5);
    EXPECT_EQ(timings[2].samples, 2);
    EXPECT_NEAR(timings[2].fastest, 1.6, 1e-9) << "its time is known all the same";
}

TEST(Measure, TellsTheFastestFromTheMedian) {
    FakeTimer timer;
    int run = 0;
    const double seconds[] = {9, 2, 5, 1, 3};  // warm up, once, and three rounds
    const std::size_t only[] = {0};
    const auto timings =
        measure(only, [&](std::size_t) { timer.time += seconds[run++]; }, timer, {.rounds = 3, .budget_seconds = 1000});
    EXPECT_NEAR(timings[0].fastest, 1, 1e-9);
    EXPECT_NEAR(timings[0].median, 3, 1e-9);
}

TEST(Measure, AFailureIsNotFatal) {
    FakeTimer timer;
    int runs_of_the_second = 0;
    const auto run = [&](std::size_t candidate) {
        timer.time += 1;
        if (candidate == 0) throw std::runtime_error("does not fit");
        if (candidate == 1 && ++runs_of_the_second == 4) throw 7;
    };
    const auto timings = measure(kAll, run, timer, {.rounds = 3, .budget_seconds = 1000});
    EXPECT_EQ(timings[0].failure, "does not fit");
    EXPECT_EQ(timings[0].samples, 0);
    EXPECT_EQ(timings[1].failure, "an unknown error");
    EXPECT_EQ(timings[1].samples, 0) << "who fails once is not believed";
    EXPECT_EQ(timings[2].samples, 3);
}

TEST(HostTimer, CountsForwards) {
    Timer& timer = host_timer();
    const double before = timer.now();
    int runs = 0;
    EXPECT_GE(timer.seconds([&] { ++runs; }, 5), 0);
    EXPECT_EQ(runs, 5);
    EXPECT_GE(timer.now(), before);
}

}  // namespace
}  // namespace burn::autotune::measure_test
