#include <burn/compiler/autotune/ranking_store.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"

namespace burn::autotune::ranking_store_test {
namespace {

const Ranking kRanking = {{"fast", 1.25e-5, 1.5e-5}, {"slow", 0.1, 0.30000000000000004}};

TEST(Ranking, IsTheSameWrittenAndRead) {
    EXPECT_EQ(read_ranking(write_ranking(kRanking)), kRanking);
    EXPECT_EQ(write_ranking({{"fast", 2, 3}}), "fast 2 3\n");
    EXPECT_EQ(read_ranking(""), Ranking());
}

TEST(Ranking, IsNothingWhenItsTextIsDamaged) {
    for (const char* text : {"fast 2 3", "fast 2\n", "fast\n", "fast 2 x\n", "fast 2 3 \n", " 2 3\n", "fast -2 3\n",
                             "fast inf 3\n", "fast 2 nan\n", "fast 2 3\n\n", "fast 2 3\nslow 1\n", "fast 0x2 3\n"}) {
        EXPECT_EQ(read_ranking(text), Ranking()) << text;
    }
    std::string many;
    for (int i = 0; i < 64; ++i) many += "fast 2 3\n";
    EXPECT_EQ(read_ranking(many).size(), 64u);
    EXPECT_EQ(read_ranking(many + "fast 2 3\n"), Ranking());
}

TEST(RankingStore, FindsWhatWasKeptForTheVeryScopeAndProblem) {
    const ScratchFolder folder;
    RankingStore store(folder.root() + "/new");
    EXPECT_EQ(store.find("cpu", "m=1"), Ranking());
    store.keep("cpu", "m=1", kRanking);
    EXPECT_EQ(store.find("cpu", "m=1"), kRanking);
    EXPECT_EQ(RankingStore(folder.root() + "/new").find("cpu", "m=1"), kRanking);
    EXPECT_EQ(store.find("gpu", "m=1"), Ranking());
    EXPECT_EQ(store.find("cpu", "m=2"), Ranking());
    std::filesystem::rename(store.path_of("cpu", "m=1"), store.path_of("gpu", "m=1"));
    EXPECT_EQ(store.find("gpu", "m=1"), Ranking()) << "as if hashes were equal";
}

TEST(RankingStore, AFileOfSomethingElseIsNoRanking) {
    const ScratchFolder folder;
    RankingStore store(folder.root());
    store.keep("cpu", "m=1", {{"two words", 1, 1}});
    EXPECT_EQ(store.find("cpu", "m=1"), Ranking());
    RankingStore nowhere("");
    nowhere.keep("cpu", "m=1", kRanking);
    EXPECT_EQ(nowhere.find("cpu", "m=1"), Ranking());
}

}  // namespace
}  // namespace burn::autotune::ranking_store_test
