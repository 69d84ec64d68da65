#include <burn/base/profile.h>

#include <burn/base/profile_log.h>
#include <burn/base/profile_report.h>

#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace burn::profile::profile_test {
namespace {

/// A span that takes time.
void spend(Kind kind, const char* name, int calls_inside = 0) {
    Span span;
    if (on()) span.begin(kind, name, {100, 7});
    for (int i = 0; i < calls_inside; ++i) spend(Kind::Kernel, "inner");
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(2)) {
    }
}

Row row(const std::string& name) {
    for (const Row& row : rows()) {
        if (row.name == name) return row;
    }
    return {};
}

TEST(Profile, MeasuresNothingUntilItIsAsked) {
    stop();
    spend(Kind::Operation, "unseen");
    start();
    EXPECT_TRUE(on());
    stop();
    EXPECT_FALSE(on());
    EXPECT_TRUE(rows().empty());
}

TEST(Profile, AddsUpTheCallsOfAName) {
    start();
    for (int i = 0; i < 5; ++i) spend(Kind::Operation, "five");
    spend(Kind::Compile, "five");
    stop();
    ASSERT_EQ(rows().size(), 2u) << "what was compiled is another line than what ran";
    for (const Row& each : rows()) {
        EXPECT_EQ(each.name, "five");
        EXPECT_EQ(each.calls, each.kind == Kind::Operation ? 5u : 1u);
        EXPECT_EQ(each.cost.bytes, 100.0 * static_cast<double>(each.calls));
        EXPECT_EQ(each.cost.operations, 7.0 * static_cast<double>(each.calls));
        EXPECT_GT(each.seconds, 0);
        EXPECT_EQ(each.own_seconds, each.seconds);
    }
}

TEST(Profile, TimeInsideIsNotCountedTwice) {
    start();
    spend(Kind::Operation, "outer", 3);
    stop();
    const Row outer = row("outer"), inner = row("inner");
    EXPECT_EQ(inner.calls, 3u);
    EXPECT_GT(outer.seconds, inner.seconds);
    EXPECT_NEAR(outer.own_seconds, outer.seconds - inner.seconds, 1e-9);
}

TEST(Profile, BeginsAnewWithEachStart) {
    start();
    spend(Kind::Operation, "before");
    start();
    spend(Kind::Operation, "after");
    stop();
    EXPECT_EQ(row("before").calls, 0u);
    EXPECT_EQ(row("after").calls, 1u);
}

TEST(Profile, DropsWhatBeganBeforeTheStart) {
    start();
    {
        Span span;
        span.begin(Kind::Operation, "early", {});
        start();
    }
    stop();
    EXPECT_TRUE(rows().empty());
}

TEST(Profile, SeesAllThreads) {
    start();
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int i = 0; i < 100; ++i) spend(Kind::Operation, "threaded", 1);
        });
    }
    for (std::thread& thread : threads) thread.join();
    stop();
    EXPECT_EQ(row("threaded").calls, 400u);
    EXPECT_EQ(row("inner").calls, 400u);
}

TEST(ProfileOfAProgram, HasItsTraceWhereTheProgramBegan) {
    const ScratchFolder folder;
    const auto program = [&folder] {
        std::filesystem::current_path(folder.root());
        ::setenv("BURN_PROFILE", "trace.json", 1);
        if (!start_if_asked()) std::exit(1);
        std::filesystem::current_path("/");
        ::unsetenv("BURN_PROFILE");
        std::exit(0);
    };
    EXPECT_EXIT(program(), testing::ExitedWithCode(0), "measured");
    EXPECT_TRUE(std::filesystem::exists(folder.path("trace.json")));
}

}  // namespace
}  // namespace burn::profile::profile_test
