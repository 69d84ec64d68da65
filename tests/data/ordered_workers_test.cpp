#include <burn/base/error.h>
#include <burn/data/ordered_workers.h>

#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace burn::data::ordered_workers_test {
namespace {

using Body = std::function<void(std::size_t index, std::size_t slot, const OrderedWorkers& workers)>;

struct FunctionJob final : OrderedWorkers::Job {
    explicit FunctionJob(Body its_body) : body(std::move(its_body)) {}
    void run(std::size_t index, std::size_t slot, const OrderedWorkers& workers) override {
        body(index, slot, workers);
    }
    Body body;
};

class OrderedWorkersTest : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Threads, OrderedWorkersTest, ::testing::Values(0, 1, 4));

TEST_P(OrderedWorkersTest, ResultsComeInOrderWhoeverIsFastest) {
    constexpr std::size_t kCount = 100;
    std::vector<std::size_t> slots(5);
    FunctionJob job([&](std::size_t index, std::size_t slot, const OrderedWorkers&) {
        if (index % 7 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        slots[slot] = index * 10;
    });
    OrderedWorkers workers(job, kCount, GetParam(), slots.size());
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto slot = workers.next();
        ASSERT_TRUE(slot.has_value());
        ASSERT_EQ(slots[*slot], i * 10);
    }
    EXPECT_FALSE(workers.next().has_value());
    EXPECT_FALSE(workers.next().has_value());
}

TEST_P(OrderedWorkersTest, NobodyRunsAheadOfTheSlots) {
    constexpr std::size_t kSlots = 3;
    std::atomic<std::size_t> begun{0};
    FunctionJob job([&](std::size_t, std::size_t, const OrderedWorkers&) { ++begun; });
    OrderedWorkers workers(job, 50, GetParam(), kSlots);
    for (std::size_t i = 0; i < 50; ++i) {
        ASSERT_TRUE(workers.next().has_value());
        if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ASSERT_LE(begun, i + kSlots);  // result i is still in use
    }
}

TEST_P(OrderedWorkersTest, AnErrorArrivesInItsTurnAndEndsTheRun) {
    FunctionJob job([&](std::size_t index, std::size_t, const OrderedWorkers&) {
        if (index == 2) raise(ErrorKind::Argument, Message() << "item 2 is bad");
        if (index == 3) raise(ErrorKind::Argument, Message() << "item 3 is worse");
    });
    OrderedWorkers workers(job, 10, GetParam(), 6);
    EXPECT_TRUE(workers.next().has_value());
    EXPECT_TRUE(workers.next().has_value());
    try {
        workers.next();
        FAIL() << "no error";
    } catch (const ArgumentError& error) {
        EXPECT_STREQ(error.what(), "item 2 is bad");
    }
    EXPECT_FALSE(workers.next().has_value());
}

TEST_P(OrderedWorkersTest, GoingAwayEarlyStopsLongWork) {
    std::atomic<bool> stuck{false};
    FunctionJob job([&](std::size_t index, std::size_t, const OrderedWorkers& workers) {
        if (index < 2) return;
        stuck = true;
        while (!workers.stopping()) std::this_thread::yield();
    });
    OrderedWorkers workers(job, 1000, GetParam(), 9);
    ASSERT_TRUE(workers.next().has_value());
    while (GetParam() > 0 && !stuck) std::this_thread::yield();
}

TEST_P(OrderedWorkersTest, NothingToDo) {
    FunctionJob job([](std::size_t, std::size_t, const OrderedWorkers&) { FAIL() << "there is no work"; });
    OrderedWorkers unused(job, 5'000'000, 0, 1);
    OrderedWorkers workers(job, 0, GetParam(), 1);
    EXPECT_FALSE(workers.next().has_value());
}

}  // namespace
}  // namespace burn::data::ordered_workers_test
