#include <burn/base/parallel.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace burn::parallel_test {
namespace {

struct WithThreads {
    explicit WithThreads(int n) { set_num_threads(n); }
    ~WithThreads() { set_num_threads(0); }
};

using Ranges = std::set<std::pair<int64_t, int64_t>>;

Ranges ranges_of(int64_t n, int64_t grain) {
    std::mutex mutex;
    Ranges ranges;
    parallel_for(n, grain, [&](int64_t begin, int64_t end) {
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(ranges.emplace(begin, end).second);
    });
    return ranges;
}

TEST(ParallelFor, CoversEveryIndexOnce) {
    for (const int threads : {1, 2, 3, 8}) {
        const WithThreads with(threads);
        for (const int64_t n : {1, 2, 3, 7, 8, 9, 100, 1001}) {
            std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n));
            parallel_for(n, 1, [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
            });
            for (const std::atomic<int>& count : visits) ASSERT_EQ(count, 1) << threads << " threads, n " << n;
        }
    }
}

TEST(ParallelFor, RangesAreEqualPartsThatRespectTheGrain) {
    const WithThreads with(4);
    EXPECT_EQ(ranges_of(10, 1), (Ranges{{0, 3}, {3, 6}, {6, 8}, {8, 10}}));
    EXPECT_EQ(ranges_of(10, 3), (Ranges{{0, 4}, {4, 7}, {7, 10}}));
    EXPECT_EQ(ranges_of(10, 5), (Ranges{{0, 5}, {5, 10}}));
    EXPECT_EQ(ranges_of(10, 6), (Ranges{{0, 10}}));
    EXPECT_EQ(ranges_of(3, 1), (Ranges{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(ParallelFor, EmptyRangesCallNothing) {
    EXPECT_TRUE(ranges_of(0, 1).empty());
    EXPECT_TRUE(ranges_of(-5, 1).empty());
}

TEST(ParallelFor, CoversMoreIndicesThan32BitsCount) {
    for (const int threads : {1, 3}) {
        const WithThreads with(threads);
        for (const int64_t n :
             {int64_t{1} << 31, (int64_t{1} << 32) - 1, int64_t{1} << 32, (int64_t{1} << 32) + 5, INT64_MAX / 4}) {
            int64_t next = 0;
            for (const auto& [begin, end] : ranges_of(n, 1)) {
                EXPECT_EQ(begin, next);
                EXPECT_GT(end, begin);
                next = end;
            }
            EXPECT_EQ(next, n) << threads << " threads";
        }
    }
}

TEST(ParallelFor, GrainBelowOneCountsAsOne) {
    const WithThreads with(2);
    EXPECT_EQ(ranges_of(2, 0), (Ranges{{0, 1}, {1, 2}}));
}

TEST(ParallelFor, PartsRunAtTheSameTime) {
    const WithThreads with(3);
    // Every part waits for the others: this only ends if three threads are inside at once.
    std::atomic<int> inside{0};
    parallel_for(3, 1, [&](int64_t, int64_t) {
        ++inside;
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (inside < 3 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
        EXPECT_EQ(inside, 3);
    });
}

TEST(ParallelFor, WakesWorkersThatHaveGoneToSleep) {
    const WithThreads with(2);
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        std::atomic<int> inside{0};
        parallel_for(2, 1, [&](int64_t, int64_t) {
            ++inside;
            const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (inside < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
            EXPECT_EQ(inside, 2);
        });
    }
}

TEST(ParallelFor, ManyShortLoopsInARow) {
    const WithThreads with(4);
    int64_t total = 0;
    for (int round = 0; round < 5000; ++round) {
        std::vector<int64_t> parts(8, 0);
        parallel_for(8, 1, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) parts[static_cast<std::size_t>(i)] = i + round;
        });
        for (const int64_t part : parts) total += part;
    }
    EXPECT_EQ(total, 5000 * 28 + 8 * (5000 * 4999 / 2));
}

TEST(ParallelFor, NestedLoopsStayOnTheirThread) {
    const WithThreads with(3);
    std::atomic<int> inner_calls{0};
    parallel_for(3, 1, [&](int64_t, int64_t) {
        const std::thread::id outer = std::this_thread::get_id();
        parallel_for(100, 1, [&](int64_t begin, int64_t end) {
            EXPECT_EQ(std::this_thread::get_id(), outer);
            EXPECT_EQ(end - begin, 100);
            ++inner_calls;
        });
    });
    EXPECT_EQ(inner_calls, 3);
}

TEST(ParallelFor, SeveralCallersAtOnceAllFinish) {
    const WithThreads with(3);
    std::vector<int64_t> sums(6, 0);
    std::vector<std::thread> callers;
    for (int64_t& sum : sums) {
        callers.emplace_back([&sum] {
            for (int round = 0; round < 200; ++round) {
                std::atomic<int64_t> total{0};
                parallel_for(64, 1, [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) total += i;
                });
                sum += total;
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(sums, std::vector<int64_t>(6, 200 * 2016));
}

TEST(ParallelFor, ExceptionOfTheFirstRangeReachesTheCaller) {
    const WithThreads with(4);
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> calls{0};
        try {
            parallel_for(4, 1, [&](int64_t begin, int64_t) {
                ++calls;
                if (begin >= 1) throw std::runtime_error(std::to_string(begin));
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "1");
        }
        EXPECT_EQ(calls, 4);
    }
    EXPECT_EQ(ranges_of(4, 1).size(), 4u) << "the pool works after an exception";
}

TEST(ParallelFor, ExceptionOfALoopThatRanOnTheCaller) {
    EXPECT_THROW(parallel_for(1, 1, [](int64_t, int64_t) { throw std::logic_error("inline"); }), std::logic_error);
}

TEST(NumThreads, CanBeChangedAndRestored) {
    const int initial = num_threads();
    EXPECT_GE(initial, 1);
    set_num_threads(7);
    EXPECT_EQ(num_threads(), 7);
    set_num_threads(0);
    EXPECT_EQ(num_threads(), initial);
}

#if defined(__unix__)
// In the child of a fork none of the pool's threads exists.
TEST(ParallelFor, WorksInTheChildOfAFork) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer ends processes that start threads after a fork";
#endif
    const WithThreads with(3);
    ASSERT_EQ(ranges_of(3, 1).size(), 3u);
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        alarm(20);
        std::atomic<int64_t> sum{0};
        parallel_for(100, 1, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) sum += i;
        });
        _exit(sum == 4950 && num_threads() == 3 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

}  // namespace
}  // namespace burn::parallel_test
