#include <burn/data/data_loader.h>
#include <burn/data/transforms.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>

namespace burn::data::data_loader_test {
namespace {

using ::testing::ElementsAre;

/// Leaves the items as they are.
struct ListBatcher {
    std::vector<int> batch(std::vector<int> items) const { return items; }
};

InMemoryDataset<int> numbers(int size) {
    std::vector<int> items(static_cast<std::size_t>(size));
    std::iota(items.begin(), items.end(), 0);
    return InMemoryDataset<int>(std::move(items));
}

template <class Batch>
std::vector<Batch> batches_of(DataLoaderEpoch<Batch> epoch) {
    std::vector<Batch> batches;
    for (Batch& batch : epoch) batches.push_back(std::move(batch));
    return batches;
}

std::vector<int> items_of(const DataLoader<std::vector<int>>& loader, std::size_t epoch) {
    std::vector<int> items;
    for (const std::vector<int>& batch : loader.epoch(epoch)) items.insert(items.end(), batch.begin(), batch.end());
    return items;
}

TEST(DataLoader, CutsTheItemsIntoBatches) {
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(4).build(numbers(10));
    EXPECT_EQ(loader.num_items(), 10u);
    EXPECT_EQ(loader.num_batches(), 3u);
    EXPECT_THAT(batches_of(loader.epoch(0)),
                ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7), ElementsAre(8, 9)));
}

TEST(DataLoader, ABatchMayBeLargerThanAnyDataset) {
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(SIZE_MAX).num_workers(SIZE_MAX).build(numbers(4));
    EXPECT_EQ(loader.num_batches(), 1u);
    EXPECT_EQ(loader.epoch(0).next()->size(), 4u);
}

TEST(DataLoader, LeavesOutAShortBatchOnDemand) {
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(4).drop_last().build(numbers(10));
    EXPECT_EQ(loader.num_items(), 8u);
    EXPECT_EQ(loader.num_batches(), 2u);
    EXPECT_THAT(batches_of(loader.epoch(0)), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
}

TEST(DataLoader, SaysHowFarItIs) {
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(4).num_workers(2).build(numbers(10));
    auto epoch = loader.epoch(0);
    EXPECT_EQ(epoch.progress().items, 0u);
    EXPECT_EQ(epoch.progress().items_total, 10u);
    EXPECT_EQ(epoch.progress().batches_total, 3u);
    epoch.next();
    EXPECT_EQ(epoch.progress().items, 4u);
    EXPECT_EQ(epoch.progress().batches, 1u);
    epoch.next();
    epoch.next();
    epoch.next();
    EXPECT_EQ(epoch.progress().items, 10u);
    EXPECT_EQ(epoch.progress().batches, 3u);
}

TEST(DataLoader, ShufflesAnewForEveryEpochAndTheSameWayAgain) {
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(3).shuffle(7).build(numbers(10));
    const auto first = items_of(loader, 0);
    const auto second = items_of(loader, 1);
    EXPECT_THAT(first, ElementsAre(6, 8, 4, 5, 9, 1, 7, 3, 0, 2));
    EXPECT_THAT(second, ElementsAre(1, 5, 7, 0, 9, 8, 3, 6, 2, 4));
    EXPECT_TRUE(std::ranges::is_permutation(first, second));
    const auto again = DataLoaderBuilder(ListBatcher{}).batch_size(3).shuffle(7).build(numbers(10));
    EXPECT_EQ(items_of(again, 1), second);  // without epoch 0 before it
    EXPECT_EQ(items_of(again, 0), first);
}

TEST(DataLoader, TheNumberOfWorkersChangesNothing) {
    // Items that take differently long, so that threads overtake each other.
    const MapperDataset slow(numbers(200), [](int x) {
        if (x % 17 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return x;
    });
    const auto loader = [&](std::size_t workers) {
        return DataLoaderBuilder(ListBatcher{}).batch_size(7).shuffle(1).num_workers(workers).build(slow);
    };
    const auto expected = batches_of(loader(0).epoch(4));
    for (const std::size_t workers : {1u, 2u, 5u, 40u})
        EXPECT_EQ(batches_of(loader(workers).epoch(4)), expected) << workers;
}

class DataLoaderWorkersTest : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, DataLoaderWorkersTest, ::testing::Values(0, 1, 3));

TEST_P(DataLoaderWorkersTest, AnErrorOfTheDatasetReachesTheConsumer) {
    const MapperDataset bad(numbers(20), [](int x) {
        if (x == 9) raise(ErrorKind::Parse, Message() << "item " << x << " is damaged");
        return x;
    });
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(4).num_workers(GetParam()).build(bad);
    auto epoch = loader.epoch(0);
    EXPECT_TRUE(epoch.next().has_value());
    EXPECT_TRUE(epoch.next().has_value());
    try {
        epoch.next();
        FAIL() << "no error";
    } catch (const ParseError& error) {
        EXPECT_STREQ(error.what(), "item 9 is damaged");
    }
    EXPECT_FALSE(epoch.next().has_value());
    EXPECT_EQ(epoch.progress().batches, 2u);
    EXPECT_TRUE(loader.epoch(1).next().has_value());  // the loader itself is none the worse
}

TEST_P(DataLoaderWorkersTest, AnErrorOfTheBatcherReachesTheConsumer) {
    struct BadBatcher {
        int batch(std::vector<int>) const { raise(ErrorKind::Shape, Message() << "batcher: sizes differ"); }
    };
    const auto loader = DataLoaderBuilder(BadBatcher{}).num_workers(GetParam()).build(numbers(5));
    auto epoch = loader.epoch(0);
    EXPECT_THROW(epoch.next(), ShapeError);
}

TEST_P(DataLoaderWorkersTest, AnEpochMayEndEarly) {
    const MapperDataset slow(numbers(100'000), [](int x) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        return x;
    });
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(20).num_workers(GetParam()).build(slow);
    {
        auto untouched = loader.epoch(0);
    }
    auto epoch = loader.epoch(0);
    EXPECT_TRUE(epoch.next().has_value());
}

TEST_P(DataLoaderWorkersTest, TheEpochKeepsTheDataAlive) {
    auto epoch = DataLoaderBuilder(ListBatcher{}).batch_size(2).num_workers(GetParam()).build(numbers(4)).epoch(0);
    EXPECT_THAT(batches_of(std::move(epoch)), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST_P(DataLoaderWorkersTest, AnEmptyDataset) {
    const auto loader =
        DataLoaderBuilder(ListBatcher{}).batch_size(3).shuffle(1).num_workers(GetParam()).build(numbers(0));
    EXPECT_EQ(loader.num_batches(), 0u);
    EXPECT_FALSE(loader.epoch(0).next().has_value());
}

TEST(DataLoader, WorkersPrepareAFewBatchesOnly) {
    std::atomic<int> asked{0};
    const MapperDataset counting(numbers(1000), [&](int x) {
        ++asked;
        return x;
    });
    const auto loader = DataLoaderBuilder(ListBatcher{}).batch_size(1).num_workers(2).build(counting);
    auto epoch = loader.epoch(0);
    epoch.next();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_LE(asked, 6);
}

TEST(DataLoader, ABatchOfNothingIsAMistake) {
    EXPECT_THROW(DataLoaderBuilder(ListBatcher{}).batch_size(0).build(numbers(4)), ArgumentError);
}

TEST(DataLoader, MovedFromIsAnErrorAsAreItsEpochs) {
    auto loader = DataLoaderBuilder(ListBatcher()).batch_size(2).num_workers(1).build(numbers(5));
    auto epoch = loader.epoch(0);
    EXPECT_TRUE(epoch.next().has_value());
    auto rest = std::move(epoch);
    const auto taken = std::move(loader);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(epoch.next(), ArgumentError);
    EXPECT_THROW(epoch.progress(), ArgumentError);
    EXPECT_THROW(epoch.begin(), ArgumentError);
    EXPECT_THROW(loader.epoch(1), ArgumentError);
    EXPECT_THROW(loader.num_items(), ArgumentError);
    EXPECT_THROW(loader.num_batches(), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_THAT(*rest.next(), ElementsAre(2, 3));
    EXPECT_EQ(taken.num_batches(), 3u);
}

}  // namespace
}  // namespace burn::data::data_loader_test
