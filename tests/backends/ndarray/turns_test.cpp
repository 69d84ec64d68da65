#include <burn/backends/ndarray/turns.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace burn::ndarray::turns_test {
namespace {

using burn::testing::WithThreads;

template <class Body>
void each_turn(std::int64_t n, std::int64_t grain, Body body) {
    parallel_turns(n, grain, [&](Turns turns) {
        for (std::int64_t i = turns.take(); i >= 0; i = turns.take()) body(i);
    });
}

TEST(ParallelTurns, RunEveryIndexOnce) {
    for (const int threads : {1, 2, 5}) {
        const WithThreads with(threads);
        for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 100, 1001}) {
            for (const std::int64_t grain : {0, 1, 7, 5000}) {
                std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
                each_turn(n, grain, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
                for (const auto& count : times) ASSERT_EQ(count, 1) << n << " turns, grain " << grain;
            }
        }
    }
}

TEST(ParallelTurns, BelowTwoGrainsStayOnTheCaller) {
    const WithThreads with(4);
    std::set<std::thread::id> ids;
    each_turn(15, 8, [&](std::int64_t) { ids.insert(std::this_thread::get_id()); });
    EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

// One thread waits in its first turn until all others are done: were they dealt out beforehand, that would be never.
TEST(ParallelTurns, AThreadThatIsHeldUpLeavesItsTurnsToOthers) {
    const WithThreads with(2);
    std::atomic<int> done = 0;
    each_turn(64, 1, [&](std::int64_t i) {
        if (i == 0) {
            while (done < 63) std::this_thread::yield();
        }
        ++done;
    });
    EXPECT_EQ(done, 64);
}

TEST(ParallelTurns, AThreadTakesItsOwnShareFirst) {
    const WithThreads with(3);
    std::atomic<int> begun = 0;
    std::vector<std::int64_t> taken(3, -1);
    parallel_turns(60, 1, [&](Turns turns) {
        taken[static_cast<std::size_t>(turns.thread())] = turns.take();
        ++begun;
        while (begun < 3) std::this_thread::yield();  // so that nobody has time to take what is another's
        while (turns.take() >= 0) {
        }
    });
    EXPECT_EQ(taken, (std::vector<std::int64_t>{0, 20, 40}));
}

// More threads than there are shares.
TEST(ParallelTurns, ManyThreadsRunEveryIndexOnce) {
    const WithThreads with(100);
    std::vector<std::atomic<int>> times(1000);
    each_turn(1000, 1, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
    for (const auto& count : times) ASSERT_EQ(count, 1);
}

TEST(ParallelTurns, AnExceptionReachesTheCaller) {
    const WithThreads with(2);
    EXPECT_THROW(each_turn(10, 1,
                           [](std::int64_t i) {
                               if (i == 3) throw std::runtime_error("3");
                           }),
                 std::runtime_error);
}

}  // namespace
}  // namespace burn::ndarray::turns_test
