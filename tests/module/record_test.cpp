#include <burn/module/record.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace burn::record_test {
namespace {

const TensorData kData = TensorData::from<float>({1.0f, 2.0f});

TEST(Record, FindsWhatWasAdded) {
    Record record;
    EXPECT_EQ(record.find_tensor("w"), nullptr);
    EXPECT_EQ(record.find_number("w"), nullptr);
    record.add("fc.w", kData, 7);
    record.add("fc.w", 0.5);  // numbers have names of their own
    record.add("step", std::int64_t{3});
    ASSERT_NE(record.find_tensor("fc.w"), nullptr);
    EXPECT_EQ(record.tensor("fc.w").read(), kData);
    EXPECT_EQ(record.tensor("fc.w").id, 7u);
    EXPECT_EQ(record.number("step").as<std::int64_t>(), 3);
    EXPECT_EQ(record.number("fc.w").as<double>(), 0.5);
    EXPECT_EQ(record.find_tensor("step"), nullptr);
    EXPECT_THROW(record.tensor("step"), RecordError);
    EXPECT_THROW(record.number("fc"), RecordError);
}

TEST(Record, APathIsTakenOnce) {
    Record record;
    record.add("w", kData);
    record.add("n", 1);
    EXPECT_THROW(record.add("w", kData), ArgumentError);
    EXPECT_THROW(record.add("n", 2), ArgumentError);
}

TEST(Record, KeepsManyInOrder) {
    Record record;
    for (int i = 0; i < 1000; ++i) record.add(("t" + std::to_string(i)).c_str(), TensorData::from<std::int32_t>({i}));
    for (int i = 0; i < 1000; ++i) {
        const std::string name = "t" + std::to_string(i);
        EXPECT_EQ(record.tensor(name.c_str()).read().values<std::int32_t>()[0], i);
        EXPECT_EQ(record.tensors()[static_cast<std::size_t>(i)].path, name.c_str());
    }
}

TEST(Record, PartsGoBelowAPathAndComeBack) {
    Record optimizer, whole;
    optimizer.add("1.momentum", kData, 1);
    optimizer.add("step", 3u);
    whole.add("optimizer", optimizer);
    whole.add("optimizers.lr", 0.1);
    whole.add("optimizer", true);
    EXPECT_EQ(whole.tensor("optimizer.1.momentum").id, 1u);
    const Record part = whole.part("optimizer");
    EXPECT_EQ(part.tensors().size(), 1u);
    EXPECT_EQ(part.numbers().size(), 1u);
    EXPECT_EQ(part.tensor("1.momentum").read(), kData);
    EXPECT_EQ(part.number("step").as<std::uint64_t>(), 3u);
}

class Counting final : public RecordValues {
public:
    explicit Counting(int& reads) : reads_(reads) {}
    TensorData read() const override {
        ++reads_;
        return kData;
    }

private:
    int& reads_;
};

TEST(Record, ValuesMayBeReadLater) {
    int reads = 0;
    Record record;
    record.add("w", kData.spec(), make_ref<Counting>(reads));
    const Record part = record;
    EXPECT_EQ(reads, 0);
    EXPECT_EQ(part.tensor("w").spec, kData.spec());
    EXPECT_EQ(part.tensor("w").read(), kData);
    EXPECT_EQ(reads, 1);
}

TEST(RecordNumber, GivesOnlyWhatItHolds) {
    constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(RecordNumber(kLargest).as<std::uint64_t>(), kLargest);
    EXPECT_EQ(RecordNumber(5u).as<std::int64_t>(), 5);
    EXPECT_EQ(RecordNumber(5).as<std::uint64_t>(), 5u);
    EXPECT_EQ(RecordNumber(-5).as<std::int64_t>(), -5);
    EXPECT_EQ(RecordNumber(0.1f).as<double>(), static_cast<double>(0.1f));
    EXPECT_TRUE(RecordNumber(true).as<bool>());
    EXPECT_THROW(RecordNumber(kLargest).as<std::int64_t>(), RecordError);
    EXPECT_THROW(RecordNumber(-5).as<std::uint64_t>(), RecordError);
    EXPECT_THROW(RecordNumber(1).as<double>(), RecordError);
    EXPECT_THROW(RecordNumber(1.0).as<std::int64_t>(), RecordError);
    EXPECT_THROW(RecordNumber(1).as<bool>(), RecordError);
    EXPECT_THROW(RecordNumber(true).as<std::int64_t>(), RecordError);
    EXPECT_NE(RecordNumber(1), RecordNumber(1u));
    EXPECT_EQ(RecordNumber(2), RecordNumber(2));
}

}  // namespace
}  // namespace burn::record_test
