#include <burn/data/transforms.h>

#include <gmock/gmock.h>

#include <numeric>

namespace burn::data::transforms_test {
namespace {

using ::testing::ElementsAre;

/// The numbers 0 to size - 1.
InMemoryDataset<int> numbers(int size) {
    std::vector<int> items(static_cast<std::size_t>(size));
    std::iota(items.begin(), items.end(), 0);
    return InMemoryDataset<int>(std::move(items));
}

template <Dataset D>
std::vector<ItemOf<D>> all(const D& dataset) {
    std::vector<ItemOf<D>> items;
    for (std::size_t i = 0; i < dataset.size(); ++i) items.push_back(dataset.get(i));
    return items;
}

TEST(MapperDataset, MapsEachItem) {
    const MapperDataset halves(numbers(3), [](int x) { return x / 2.0; });
    EXPECT_THAT(all(halves), ElementsAre(0.0, 0.5, 1.0));
    EXPECT_THROW(halves.get(3), IndexError);
}

TEST(PartialDataset, KeepsARange) {
    EXPECT_THAT(all(PartialDataset(numbers(10), 3, 6)), ElementsAre(3, 4, 5));
    EXPECT_THAT(all(PartialDataset(numbers(4), 2, 100)), ElementsAre(2, 3));
    EXPECT_THAT(all(PartialDataset(numbers(4), 7, 9)), ElementsAre());
    EXPECT_THROW(PartialDataset(numbers(10), 3, 6).get(3), IndexError);
    EXPECT_THROW(PartialDataset(numbers(10), 6, 3), ArgumentError);
}

TEST(PartialDataset, SplitsEvenly) {
    const auto parts = PartialDataset<InMemoryDataset<int>>::split(numbers(7), 3);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_THAT(all(parts[0]), ElementsAre(0, 1, 2));
    EXPECT_THAT(all(parts[1]), ElementsAre(3, 4));
    EXPECT_THAT(all(parts[2]), ElementsAre(5, 6));
    EXPECT_EQ((PartialDataset<InMemoryDataset<int>>::split(numbers(1), 2)[1].size()), 0u);
    EXPECT_THROW((PartialDataset<InMemoryDataset<int>>::split(numbers(7), 0)), ArgumentError);
}

TEST(SelectionDataset, PicksInTheGivenOrder) {
    EXPECT_THAT(all(SelectionDataset(numbers(5), {4, 0, 4})), ElementsAre(4, 0, 4));
    EXPECT_THROW(SelectionDataset(numbers(5), {5}), IndexError);
    EXPECT_THROW(SelectionDataset(numbers(5), {4}).get(1), IndexError);
}

TEST(ShuffledDataset, IsAFixedPermutation) {
    EXPECT_THAT(all(ShuffledDataset(numbers(10), 7)), ElementsAre(6, 8, 4, 5, 9, 1, 7, 3, 0, 2));
    EXPECT_EQ(all(ShuffledDataset(numbers(10), 7)), all(ShuffledDataset(numbers(10), 7)));
}

TEST(SamplerDataset, DrawsMoreThanThereAre) {
    EXPECT_THAT(all(SamplerDataset(numbers(4), 10, Replacement::Without, 3)),
                ElementsAre(3, 1, 0, 2, 3, 0, 1, 2, 2, 1));
    EXPECT_EQ(SamplerDataset(numbers(4), 9, Replacement::With, 3).size(), 9u);
    EXPECT_THROW(SamplerDataset(numbers(0), 1, Replacement::With, 3), ArgumentError);
}

TEST(WindowsDataset, SlidesOverTheItems) {
    EXPECT_THAT(all(WindowsDataset(numbers(4), 2)),
                ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2), ElementsAre(2, 3)));
    EXPECT_THAT(all(WindowsDataset(numbers(8), 3, 3)), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5)));
    EXPECT_EQ(WindowsDataset(numbers(2), 3).size(), 0u);
    EXPECT_THROW(WindowsDataset(numbers(2), 3).get(0), IndexError);
    EXPECT_THROW(WindowsDataset(numbers(2), 0), ArgumentError);
    EXPECT_THROW(WindowsDataset(numbers(2), 1, 0), ArgumentError);
}

TEST(ComposedDataset, JoinsEndToEnd) {
    const ComposedDataset dataset(std::vector{numbers(2), numbers(0), numbers(3)});
    EXPECT_THAT(all(dataset), ElementsAre(0, 1, 0, 1, 2));
    EXPECT_THROW(dataset.get(5), IndexError);
}

TEST(SelectionDataset, MovedFromIsAnError) {
    SelectionDataset selection(numbers(3), {2, 0});
    const auto taken = std::move(selection);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(selection.size(), ArgumentError);
    EXPECT_THROW(selection.get(0), ArgumentError);
    EXPECT_THROW(selection.indices(), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_THAT(all(taken), ElementsAre(2, 0));
}

}  // namespace
}  // namespace burn::data::transforms_test
