#include <burn/compiler/autotune/tuner.h>

#include <burn/base/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <thread>

#include "fake_timer.h"
#include "tests/support/scratch_folder.h"

namespace burn::autotune::tuner_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string version_of_library = "2.0";

std::string nothing() { return {}; }
std::string one() { return "1"; }

constexpr Candidate kCandidates[] = {
    {"plain", true, one, nothing},
    {"library", false, [] { return version_of_library; }, [] { return std::string("no such file"); }},
    {"other", true, one, nothing},
};

/// A tuner over three candidates, whose costs and abilities a test sets.
struct Tuned {
    explicit Tuned(RankingStore* store = nullptr, const char* device = "test device")
        : tuner("product", device, kCandidates, timer, store) {}

    std::size_t choose(std::int64_t m, std::size_t preferred = 0) {
        const Key key = Key().add("m", m);
        return tuner.choose({key, preferred, [&](std::size_t i) { return !unable.contains(i); },
                             [&](std::size_t i) {
                                 ++trials;
                                 if (failing.contains(i)) throw std::runtime_error("does not launch");
                                 timer.time += seconds[i];
                             }});
    }

    FakeTimer timer;
    double seconds[3] = {1e-3, 1e-3, 1e-3};
    std::set<std::size_t> unable, failing;
    int trials = 0;
    Tuner tuner;
};

const Settings kOn{.tuning = Tuning::On};
const Settings kKept{.tuning = Tuning::Kept};

class TunerTest : public testing::Test {
protected:
    void TearDown() override { version_of_library = "2.0"; }
};

TEST_F(TunerTest, TakesThePreferredWhereNothingIsMeasured) {
    Tuned tuned;
    for (const Settings& settings : {Settings{}, kKept}) {
        const WithSettings with(settings);
        EXPECT_EQ(tuned.choose(1, 0), 0u);
        EXPECT_EQ(tuned.choose(2, 2), 2u);
    }
    EXPECT_EQ(tuned.trials, 0);
    tuned.unable = {2};
    EXPECT_EQ(tuned.choose(2, 2), 0u) << "the next that can";
    tuned.unable = {0, 1, 2};
    try {
        tuned.choose(2, 2);
        ADD_FAILURE();
    } catch (const UnsupportedError& error) {
        EXPECT_STREQ(error.what(), "product: no candidate can run m=2 on test device");
    }
}

TEST_F(TunerTest, MeasuresAKeyOnceAndTakesTheFastest) {
    const WithSettings with(kOn);
    Tuned tuned;
    tuned.seconds[1] = 0.7e-3;
    EXPECT_EQ(tuned.choose(1), 1u);
    const int trials = tuned.trials;
    EXPECT_GT(trials, 10);
    tuned.seconds[2] = 0.1e-3;
    EXPECT_EQ(tuned.choose(1), 1u) << "what was measured stays";
    EXPECT_EQ(tuned.trials, trials);
    EXPECT_EQ(tuned.choose(2), 2u) << "another key is measured too";
    EXPECT_EQ(tuned.choose(1), 1u);
}

TEST_F(TunerTest, ThePreferredKeepsItsPlaceUnlessAnotherIsClearlyFaster) {
    const WithSettings with(kOn);
    Tuned tuned;
    tuned.seconds[1] = 0.98e-3;
    EXPECT_EQ(tuned.choose(1), 0u);
    EXPECT_EQ(tuned.choose(2, 2), 2u);
    tuned.seconds[1] = 0.96e-3;
    EXPECT_EQ(tuned.choose(3), 1u);
}

TEST_F(TunerTest, WalksTheRankingForEachProblem) {
    const WithSettings with(kOn);
    Tuned tuned;
    tuned.seconds[1] = 0.5e-3;
    tuned.seconds[2] = 0.7e-3;
    EXPECT_EQ(tuned.choose(1), 1u);
    tuned.unable = {1};  // a problem of the same key that the winner cannot solve
    EXPECT_EQ(tuned.choose(1), 2u);
    tuned.unable = {1, 2};
    EXPECT_EQ(tuned.choose(1), 0u);
}

TEST_F(TunerTest, ACandidateThatFailsIsDropped) {
    const WithSettings with(kOn);
    Tuned tuned;
    tuned.seconds[1] = 0.1e-3;
    tuned.failing = {1};
    EXPECT_EQ(tuned.choose(1), 0u);
    EXPECT_THAT(tuned.tuner.report(), HasSubstr("library failed: does not launch"));
    tuned.failing = {0, 1, 2};
    EXPECT_EQ(tuned.choose(2, 2), 2u) << "its error is for the caller to see when it runs";
    const int trials = tuned.trials;
    EXPECT_EQ(tuned.choose(2, 2), 2u);
    EXPECT_EQ(tuned.trials, trials) << "not tried again and again";
}

TEST_F(TunerTest, KeepsToItsBudget) {
    WithSettings with({.tuning = Tuning::On, .seconds_per_problem = 1, .seconds_in_all = 7});
    Tuned tuned;
    for (double& seconds : tuned.seconds) seconds = 1;
    tuned.choose(1);
    EXPECT_EQ(tuned.timer.time, 109) << "2 runs each to warm up, and one round";
    tuned.choose(2);
    EXPECT_EQ(tuned.timer.time, 109) << "nothing is left to spend";
}

TEST_F(TunerTest, RankingsAreKeptOnDisk) {
    const ScratchFolder folder;
    RankingStore store(folder.root());
    Tuned first(&store);
    first.seconds[2] = 0.5e-3;
    {
        const WithSettings with(kOn);
        EXPECT_EQ(first.choose(1), 2u);
    }
    for (const Settings& settings : {kKept, kOn}) {
        const WithSettings with(settings);
        Tuned second(&store);
        EXPECT_EQ(second.choose(1), 2u);
        EXPECT_EQ(second.trials, 0);
        EXPECT_THAT(second.tuner.report(), HasSubstr("m=1: other, measured before (other 500 us, median 500 us; "));
    }
    Tuned off(&store);
    EXPECT_EQ(off.choose(1), 0u) << "off is off";
}

TEST_F(TunerTest, RankingsAreForOneDeviceAndOneSetOfCandidates) {
    const ScratchFolder folder;
    RankingStore store(folder.root());
    Tuned first(&store);
    first.seconds[2] = 0.5e-3;
    {
        const WithSettings with(kOn);
        first.choose(1);
    }
    const WithSettings with(kKept);
    EXPECT_EQ(Tuned(&store, "another device").choose(1), 0u);
    version_of_library = "2.1";
    EXPECT_EQ(Tuned(&store).choose(1), 0u);
    version_of_library = "";
    EXPECT_EQ(Tuned(&store).choose(1), 0u);
    version_of_library = "2.0";
    EXPECT_EQ(Tuned(&store).choose(1), 2u);
}

TEST_F(TunerTest, DamagedAndForeignFilesAreIgnored) {
    const ScratchFolder folder;
    RankingStore store(folder.root());
    Tuned tuned(&store);
    const std::string scope = tuned.tuner.scope();
    EXPECT_EQ(scope, "product on test device; plain 1; library 2.0; other 1");
    const WithSettings with(kKept);
    store.keep(scope, "m=1", {{"unheard of", 1, 1}});
    EXPECT_EQ(tuned.choose(1), 0u);
    store.keep(scope, "m=2", {{"unheard_of", 1, 1}, {"other", 2, 2}});
    EXPECT_EQ(tuned.choose(2), 2u);
    store.keep(scope, "m=3", {{"other", 2, 2}});
    std::filesystem::resize_file(store.path_of(scope, "m=3"), 50);
    EXPECT_EQ(tuned.choose(3), 0u);
}

TEST_F(TunerTest, DeterministicChoicesAreTheSameOnEveryRun) {
    const ScratchFolder folder;
    RankingStore store(folder.root());
    Tuned tuned(&store);
    tuned.seconds[1] = 0.5e-3;
    {
        const WithSettings with(kOn);
        EXPECT_EQ(tuned.choose(1), 1u);
    }
    const int trials = tuned.trials;
    const WithSettings with({.tuning = Tuning::On, .deterministic = true});
    EXPECT_EQ(tuned.choose(1), 0u) << "neither what is in memory";
    EXPECT_EQ(Tuned(&store).choose(1), 0u) << "nor what is on disk";
    EXPECT_EQ(tuned.choose(2), 0u) << "and nothing is measured";
    EXPECT_EQ(tuned.choose(3, 1), 0u) << "library is not deterministic, whoever prefers it";
    EXPECT_EQ(tuned.choose(3, 2), 2u);
    tuned.unable = {0, 2};
    EXPECT_THROW(tuned.choose(3), UnsupportedError);
    EXPECT_EQ(tuned.trials, trials);
}

TEST_F(TunerTest, TheWantedComesBeforeEverything) {
    Tuned tuned;
    tuned.seconds[2] = 0.5e-3;
    {
        const WithSettings with(kOn);
        EXPECT_EQ(tuned.choose(1), 2u);
    }
    Settings wants = kOn;
    wants.wanted = "library";
    {
        const WithSettings with(wants);
        EXPECT_EQ(tuned.choose(1), 1u);
        EXPECT_THAT(tuned.tuner.report(), HasSubstr("m=1: library, as wanted"));
        tuned.unable = {1};
        EXPECT_EQ(tuned.choose(1), 2u) << "where it cannot, the others are asked as usual";
        tuned.unable = {};
    }
    wants.wanted = "libary";
    {
        const WithSettings with(wants);
        EXPECT_EQ(tuned.choose(1), 2u);
        EXPECT_THAT(tuned.tuner.report(), HasSubstr("no candidate is called \"libary\""));
    }
    wants.wanted = "library";
    wants.deterministic = true;
    {
        const WithSettings with(wants);
        EXPECT_EQ(tuned.choose(1), 0u) << "the wanted one is not deterministic";
    }
    wants = {.wanted = "unheard of"};
    const WithSettings with(wants);
    EXPECT_EQ(tuned.choose(1), 0u);
}

TEST_F(TunerTest, ReportsWhatWasChosenAndWhy) {
    Tuned tuned;
    tuned.seconds[1] = 0.5e-3;
    tuned.seconds[2] = 2e-3;
    {
        const WithSettings with(kOn);
        tuned.choose(96);
    }
    version_of_library = "";
    tuned.unable = {1};
    tuned.choose(7);
    tuned.choose(7);
    EXPECT_EQ(tuned.tuner.report(),
              "product on test device, tuning off\n"
              "  candidate plain 1, deterministic\n"
              "  candidate library is missing: no such file\n"
              "  candidate other 1, deterministic\n"
              "  m=7: plain by default; asked 2 times\n"
              "  m=96: library, measured (library 500 us, median 500 us; plain 1000 us, median 1000 us; other 2000 us, "
              "median 2000 us); asked 1 time\n");
    EXPECT_THAT(report(), HasSubstr(tuned.tuner.report()));
    tuned.tuner.forget();
    EXPECT_THAT(tuned.tuner.report(), Not(HasSubstr("m=7")));
}

TEST_F(TunerTest, ManyThreadsMeasureAKeyOnce) {
    const WithSettings with(kOn);
    Tuned tuned;
    tuned.seconds[2] = 0.5e-3;
    std::vector<std::thread> threads;
    std::size_t chosen[8] = {};
    for (std::size_t& choice : chosen) threads.emplace_back([&] { choice = tuned.choose(1); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(chosen, testing::Each(2u));
    Tuned alone;
    alone.seconds[2] = 0.5e-3;
    alone.choose(1);
    EXPECT_EQ(tuned.trials, alone.trials);
}

}  // namespace
}  // namespace burn::autotune::tuner_test
