#include <burn/optim/lr_scheduler.h>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace burn::optim::lr_scheduler_test {
namespace {

std::vector<double> first(LrScheduler scheduler, int count) {
    std::vector<double> rates;
    for (int i = 0; i < count; ++i) rates.push_back(scheduler.step());
    return rates;
}

void expect_rates(LrScheduler scheduler, const std::vector<double>& expected) {
    const auto rates = first(std::move(scheduler), static_cast<int>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(rates[i], expected[i], 1e-12) << "step " << i;
}

TEST(LrScheduler, GivesTheRatesOfItsFormula) {
    expect_rates(ConstantLrSchedulerConfig{0.3}.init(), {0.3, 0.3});
    expect_rates(LinearLrSchedulerConfig{1.0, 0.2, 4}.init(), {1, 0.8, 0.6, 0.4, 0.2, 0.2});
    expect_rates(LinearLrSchedulerConfig{0.2, 1.0, 2}.init(), {0.2, 0.6, 1, 1});
    expect_rates(CosineAnnealingLrSchedulerConfig{1.0, 2, 0.5}.init(), {1, 0.75, 0.5, 0.75, 1, 0.75});
    expect_rates(ExponentialLrSchedulerConfig{0.8, 0.5}.init(), {0.8, 0.4, 0.2, 0.1});
    expect_rates(StepLrSchedulerConfig{1.0, 2}.init(), {1, 1, 0.1, 0.1, 0.01});
    // factor 2, 4 warm-up steps, model size 16: 2/4 min(1/sqrt t, t/8)
    expect_rates(NoamLrSchedulerConfig{2.0, 4, 16}.init(), {0.0625, 0.125, 0.1875, 0.25, 0.22360679774997896});
}

TEST(LrScheduler, ComposesOthers) {
    const auto parts = [] {
        return std::vector{ConstantLrSchedulerConfig{0.5}.init(), ExponentialLrSchedulerConfig{1.0, 0.5}.init()};
    };
    expect_rates(compose(parts()), {0.5, 0.25, 0.125});
    expect_rates(compose(parts(), LrReduction::Sum), {1.5, 1, 0.75});
    expect_rates(compose(parts(), LrReduction::Avg), {0.75, 0.5, 0.375});
    EXPECT_THROW(compose({}), ArgumentError);
}

TEST(LrScheduler, RunsOthersInSequence) {
    const auto parts = [] {
        return std::vector{LinearLrSchedulerConfig{1.0, 0.5, 1}.init(), ExponentialLrSchedulerConfig{0.4, 0.5}.init(),
                           ConstantLrSchedulerConfig{0.01}.init()};
    };
    expect_rates(in_sequence(parts(), {3, 5}), {1, 0.5, 0.5, 0.4, 0.2, 0.01, 0.01});
    EXPECT_THROW(in_sequence(parts(), {3}), ArgumentError);
    EXPECT_THROW(in_sequence(parts(), {3, 3}), ArgumentError);
    EXPECT_THROW(in_sequence(parts(), {0, 3}), ArgumentError);
}

TEST(LrScheduler, GoesOnFromItsRecord) {
    auto straight = LinearLrSchedulerConfig{1.0, 0.0, 7}.init();
    for (int i = 0; i < 3; ++i) straight.step();
    auto resumed = LinearLrSchedulerConfig{1.0, 0.0, 7}.init();
    resumed.load_record(straight.record());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(resumed.step(), straight.step());
}

TEST(LrScheduler, RefusesRecordsOfOtherThings) {
    auto scheduler = ConstantLrSchedulerConfig{0.5}.init();
    EXPECT_THROW(scheduler.load_record(Record()), RecordError);
    Record negative;
    negative.add("step", std::int64_t{-1});
    EXPECT_THROW(scheduler.load_record(negative), RecordError);
    Record other;
    other.add("time", std::int64_t{1});
    EXPECT_THROW(scheduler.load_record(other), RecordError);
}

TEST(LrScheduler, ChecksItsNumbers) {
    EXPECT_THROW(ConstantLrSchedulerConfig{0.0}.init(), ArgumentError);
    EXPECT_THROW((LinearLrSchedulerConfig{0.1, -0.1, 3}.init()), ArgumentError);
    EXPECT_THROW((LinearLrSchedulerConfig{0.1, 0.1, 0}.init()), ArgumentError);
    EXPECT_THROW((CosineAnnealingLrSchedulerConfig{-0.1, 3}.init()), ArgumentError);
    EXPECT_THROW((ExponentialLrSchedulerConfig{0.1, 0.0}.init()), ArgumentError);
    EXPECT_THROW((StepLrSchedulerConfig{0.1, 0}.init()), ArgumentError);
    EXPECT_THROW((NoamLrSchedulerConfig{0.0}.init()), ArgumentError);
}

TEST(LrScheduler, MovedFromIsAnError) {
    auto scheduler = ConstantLrSchedulerConfig{0.5}.init();
    auto taken = std::move(scheduler);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(scheduler.step(), ArgumentError);
    EXPECT_THROW(scheduler.rate(0), ArgumentError);
    EXPECT_THROW(scheduler.record(), ArgumentError);
    EXPECT_THROW(compose({taken, scheduler}), ArgumentError);
    EXPECT_THROW(in_sequence({scheduler, taken}, {3}), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ(taken.step(), 0.5);
}

TEST(LrScheduler, RefusesNumbersThatAreNone) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(ConstantLrSchedulerConfig{bad}.init(), ArgumentError);
        EXPECT_THROW((LinearLrSchedulerConfig{bad, 0.1, 3}.init()), ArgumentError);
        EXPECT_THROW((LinearLrSchedulerConfig{0.1, bad, 3}.init()), ArgumentError);
        EXPECT_THROW((CosineAnnealingLrSchedulerConfig{bad, 3}.init()), ArgumentError);
        EXPECT_THROW((CosineAnnealingLrSchedulerConfig{0.1, 3, bad}.init()), ArgumentError);
        EXPECT_THROW((ExponentialLrSchedulerConfig{bad, 0.5}.init()), ArgumentError);
        EXPECT_THROW((ExponentialLrSchedulerConfig{0.1, bad}.init()), ArgumentError);
        EXPECT_THROW((StepLrSchedulerConfig{bad, 3}.init()), ArgumentError);
        EXPECT_THROW((StepLrSchedulerConfig{0.1, 3, bad}.init()), ArgumentError);
        EXPECT_THROW(NoamLrSchedulerConfig{bad}.init(), ArgumentError);
    }
}

}  // namespace
}  // namespace burn::optim::lr_scheduler_test
