#include <burn/data/dataset.h>

#include <gmock/gmock.h>

#include <string>

namespace burn::data::dataset_test {
namespace {

struct Squares {
    std::size_t size() const { return 5; }
    int get(std::size_t index) const { return static_cast<int>(index * index); }
};
static_assert(Dataset<Squares>);
static_assert(Dataset<InMemoryDataset<std::string>>);
static_assert(Dataset<AnyDataset<int>>);
static_assert(!Dataset<std::vector<int>>);
static_assert(std::same_as<ItemOf<InMemoryDataset<std::string>>, std::string>);

TEST(InMemoryDataset, GivesItsItemsAndSharesThem) {
    const InMemoryDataset<std::string> dataset({"a", "b"});
    EXPECT_EQ(dataset.size(), 2u);
    EXPECT_EQ(dataset.get(1), "b");
    const auto copy = dataset;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
    EXPECT_EQ(&copy.get(0), &dataset.get(0));
    try {
        dataset.get(2);
        FAIL() << "no error";
    } catch (const IndexError& error) {
        EXPECT_STREQ(error.what(), "InMemoryDataset: item 2 of 2");
    }
}

TEST(AnyDataset, HoldsWhateverHasTheItems) {
    AnyDataset<int> dataset = Squares{};
    EXPECT_EQ(dataset.size(), 5u);
    EXPECT_EQ(dataset.get(3), 9);
    dataset = InMemoryDataset<int>({7});
    EXPECT_EQ(dataset.size(), 1u);
    EXPECT_EQ(dataset.get(0), 7);
}

TEST(Datasets, MovedFromAreAnError) {
    InMemoryDataset<int> items({1, 2});
    AnyDataset<int> any = items;
    const auto taken = std::move(items);
    const auto taken_any = std::move(any);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(items.size(), ArgumentError);
    EXPECT_THROW(items.get(0), ArgumentError);
    EXPECT_THROW(any.size(), ArgumentError);
    EXPECT_THROW(any.get(0), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ(taken.get(1) + taken_any.get(0), 3);
}

}  // namespace
}  // namespace burn::data::dataset_test
