#include <burn/core/tensor_data.h>

#include "tests/support/bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace burn::tensor_data_test {
namespace {

TEST(TensorData, ComesFromListsOfAnyDepth) {
    EXPECT_EQ(TensorData::from({1, 2, 3}).shape(), (Shape{3}));
    EXPECT_EQ(TensorData::from({{1, 2}, {3, 4}, {5, 6}}).shape(), (Shape{3, 2}));
    const TensorData cube = TensorData::from({{{1, 2}}, {{3, 4}}});
    EXPECT_EQ(cube.shape(), (Shape{2, 1, 2}));
    EXPECT_EQ(cube.at(2), 3);
    EXPECT_EQ(TensorData::from({{{{1.0f}}}}).shape(), (Shape{1, 1, 1, 1}));
    EXPECT_THROW(TensorData::from({{1, 2}, {3}}), ShapeError);
}

TEST(TensorData, ChecksWhatItIsMadeFrom) {
    const std::vector<float> values = {1, 2, 3, 4};
    EXPECT_EQ(TensorData::from(std::span<const float>(values), {2, 2}), TensorData::from({{1.0f, 2.0f}, {3.0f, 4.0f}}));
    EXPECT_THROW(TensorData::from(std::span<const float>(values), {3}), ShapeError);
    EXPECT_THROW(TensorData::from_raw(std::as_bytes(std::span(values)), {4}, DType::F64), ShapeError);
    EXPECT_THROW(TensorData::from_block(Block::make(15), {4}, DType::F32), ShapeError);
    EXPECT_THROW(TensorData(Shape{-1}, DType::F32), ShapeError);
    EXPECT_EQ(TensorData().numel(), 0);
    EXPECT_EQ(TensorData(Shape{2, 2}, DType::I16), TensorData::from<std::int16_t>({{0, 0}, {0, 0}}));
}

TEST(TensorData, CopiesShareTheirBytesUntilOneIsWritten) {
    const TensorData first = TensorData::from({1.0f, 2.0f});
    TensorData second = first;
    EXPECT_EQ(second.bytes().data(), first.bytes().data());
    second.mutable_values<float>()[0] = 9;
    EXPECT_EQ(first.at(0), 1);
    EXPECT_EQ(second.at(0), 9);
    const std::byte* place = second.bytes().data();
    second.mutable_values<float>()[1] = 8;
    EXPECT_EQ(second.bytes().data(), place);  // nobody shares it: written in place
}

TEST(TensorData, ReadsOnlyTheTypeItHas) {
    const TensorData data = TensorData::from({1.0f});
    EXPECT_THROW(data.values<double>(), DTypeError);
    EXPECT_THROW(data.values<std::int32_t>(), DTypeError);
    EXPECT_THROW(data.at(1), IndexError);
    EXPECT_THROW(data.at(-1), IndexError);
}

TEST(TensorData, ConvertsEveryElement) {
    const TensorData data = TensorData::from({{-1.5f, 0.0f}, {300.0f, 2.5f}});
    EXPECT_EQ(data.convert(DType::U8), TensorData::from<std::uint8_t>({{0, 0}, {255, 2}}));
    EXPECT_EQ(data.convert(DType::Bool), TensorData::from({{true, false}, {true, true}}));
    EXPECT_EQ(data.convert(DType::F32).bytes().data(), data.bytes().data());
}

TEST(TensorData, ReshapesWithoutACopy) {
    const TensorData data = TensorData::from({1, 2, 3, 4});
    EXPECT_EQ(data.reshape({2, 2}), TensorData::from({{1, 2}, {3, 4}}));
    EXPECT_EQ(data.reshape({2, 2}).bytes().data(), data.bytes().data());
    EXPECT_THROW(data.reshape({3}), ShapeError);
}

TEST(TensorData, EqualityLooksAtShapeTypeAndBits) {
    const TensorData data = TensorData::from({0.0f, 1.0f});
    EXPECT_FALSE(data == data.reshape({2, 1}));
    EXPECT_FALSE(data == TensorData::from({0.0, 1.0}));
    EXPECT_FALSE(data == TensorData::from({-0.0f, 1.0f}));
    EXPECT_EQ(data, TensorData::from({0.0f, 1.0f}));
}

TEST(TensorData, MovedFromIsAnErrorWhereverItsValuesAreWanted) {
    TensorData data = TensorData::from({1, 2});
    const TensorData taken = std::move(data);
    const auto fault = [&](auto use) {
        EXPECT_EQ(message_of(ErrorKind::Argument, use), "TensorData: used after it was moved from");
    };
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    fault([&] { data.bytes(); });
    fault([&] { data.mutable_bytes(); });
    fault([&] { data.values<int>(); });
    fault([&] { data.mutable_values<int>(); });
    fault([&] { data.at(0); });
    fault([&] { data.convert(DType::F64); });
    fault([&] { (void)(data == taken); });
    data = taken;
    EXPECT_EQ(data.at(1), 2);
    // NOLINTEND(bugprone-use-after-move)
}

}  // namespace
}  // namespace burn::tensor_data_test
