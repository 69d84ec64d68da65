#include <burn/base/error.h>
#include <burn/data/random_order.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace burn::data::random_order_test {
namespace {

using ::testing::ElementsAre;

// The expected orders come from a few lines of Python over big integers, written from the papers' descriptions.

TEST(RandomOrder, PermutationsAreTheSameEverywhere) {
    EXPECT_THAT(random_permutation(10, 7, 0), ElementsAre(6, 8, 4, 5, 9, 1, 7, 3, 0, 2));
    EXPECT_THAT(random_permutation(10, 7, 1), ElementsAre(1, 5, 7, 0, 9, 8, 3, 6, 2, 4));
    EXPECT_THAT(random_permutation(10, 8, 0), ElementsAre(1, 0, 4, 5, 8, 2, 6, 9, 3, 7));
    EXPECT_TRUE(random_permutation(0, 7, 0).empty());
    EXPECT_THAT(random_permutation(1, 7, 0), ElementsAre(0));
}

TEST(RandomOrder, NumbersAreTheSameEverywhere) {
    RandomNumbers numbers(7, 0);
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 8; ++i) drawn.push_back(numbers.below(6));
    EXPECT_THAT(drawn, ElementsAre(2, 0, 5, 5, 1, 3, 3, 2));
    EXPECT_EQ(RandomNumbers(1, 2).next(), 0x298757888a818077u);
}

TEST(RandomOrder, EveryItemReachesEveryPlaceEquallyOften) {
    constexpr std::size_t kItems = 5;
    constexpr int kRounds = 20'000;
    int counts[kItems][kItems] = {};
    for (int round = 0; round < kRounds; ++round) {
        const auto order = random_permutation(kItems, 99, static_cast<std::uint64_t>(round));
        for (std::size_t place = 0; place < kItems; ++place) ++counts[place][order[place]];
    }
    // 4000 expected, standard deviation 57: five of them
    for (const auto& place : counts) {
        for (const int count : place) EXPECT_NEAR(count, kRounds / static_cast<int>(kItems), 283);
    }
}

TEST(RandomOrder, SamplingWithoutReplacementGoesRoundByRound) {
    const auto drawn = random_sample(4, 10, Replacement::Without, 3, 0);
    EXPECT_THAT(drawn, ElementsAre(3, 1, 0, 2, 3, 0, 1, 2, 2, 1));
    EXPECT_EQ(std::set(drawn.begin(), drawn.begin() + 4).size(), 4u);
    EXPECT_EQ(std::set(drawn.begin() + 4, drawn.begin() + 8).size(), 4u);
}

TEST(RandomOrder, SamplingWithReplacementRepeatsSome) {
    const auto drawn = random_sample(100, 100, Replacement::With, 3, 0);
    EXPECT_EQ(drawn.size(), 100u);
    EXPECT_LT(std::ranges::max(drawn), 100u);
    // 100 (1 - 1/e) = 63.4 distinct ones are expected, standard deviation 3.1
    EXPECT_NEAR(static_cast<double>(std::set(drawn.begin(), drawn.end()).size()), 63.4, 15.5);
}

TEST(RandomOrder, NothingCanBeDrawnFromNothing) {
    EXPECT_TRUE(random_sample(0, 0, Replacement::With, 1, 0).empty());
    EXPECT_THROW(random_sample(0, 1, Replacement::With, 1, 0), ArgumentError);
    EXPECT_THROW(random_sample(0, 1, Replacement::Without, 1, 0), ArgumentError);
}

}  // namespace
}  // namespace burn::data::random_order_test
