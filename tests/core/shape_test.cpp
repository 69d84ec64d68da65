#include <burn/core/shape.h>

#include <gtest/gtest.h>

namespace burn::shape_test {
namespace {

TEST(Dims, InsertsErasesAndFinds) {
    Dims dims{2, 3};
    dims.insert(0, 1);
    dims.insert(2, 7);
    dims.insert(4, 9);
    EXPECT_EQ(dims, (Dims{1, 2, 7, 3, 9}));
    dims.erase(2);
    EXPECT_EQ(dims, (Dims{1, 2, 3, 9}));
    EXPECT_EQ(dims.back(), 9);
    EXPECT_TRUE(dims.contains(3));
    EXPECT_FALSE(dims.contains(7));
    EXPECT_EQ(Dims::filled(3, -1), (Dims{-1, -1, -1}));
    EXPECT_FALSE((Dims{1} == Dims{1, 1}));
    dims.clear();
    EXPECT_TRUE(dims.empty());
}

TEST(Dims, HoldsEightEntriesAndNoMore) {
    Dims dims = Dims::filled(kMaxRank, 1);
    EXPECT_THROW(dims.push_back(1), ShapeError);
    EXPECT_THROW(dims.insert(0, 1), ShapeError);
    EXPECT_EQ(dims, Dims::filled(kMaxRank, 1));
}

TEST(Dims, IsWrittenInBrackets) {
    EXPECT_STREQ((Message() << "" << Dims{2, -1, 30}).text(), "[2, -1, 30]");
    EXPECT_STREQ((Message() << "" << Dims{}).text(), "[]");
}

TEST(Shape, CountsItsElements) {
    EXPECT_EQ((Shape{2, 3, 4}).numel(), 24);
    EXPECT_EQ((Shape{2, 0, 4}).numel(), 0);
    EXPECT_EQ(Shape{}.numel(), 1);
}

TEST(NormalizeAxis, CountsNegativeAxesFromTheEnd) {
    EXPECT_EQ(normalize_axis(0, 3, "op"), 0u);
    EXPECT_EQ(normalize_axis(2, 3, "op"), 2u);
    EXPECT_EQ(normalize_axis(-1, 3, "op"), 2u);
    EXPECT_EQ(normalize_axis(-3, 3, "op"), 0u);
    for (std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, INT64_MAX, INT64_MIN}) {
        EXPECT_THROW(normalize_axis(axis, 3, "op"), IndexError);
    }
    EXPECT_THROW(normalize_axis(0, 0, "op"), IndexError);
}

TEST(BroadcastShapes, TakesTheSizeThatIsNotOne) {
    EXPECT_EQ(broadcast_shapes({2, 1, 3}, {1, 4, 3}, "op"), (Shape{2, 4, 3}));
    EXPECT_EQ(broadcast_shapes({1, 0}, {5, 1}, "op"), (Shape{5, 0}));
    EXPECT_THROW(broadcast_shapes({2, 3}, {3}, "op"), ShapeError);
    EXPECT_THROW(broadcast_shapes({2}, {3}, "op"), ShapeError);
    EXPECT_THROW(broadcast_shapes({2}, {0}, "op"), ShapeError);
}

TEST(RequireValidShape, RejectsNegativeSizesAndProductsWhoseBytesWouldOverflow) {
    constexpr std::int64_t kBig = std::int64_t{1} << 28;
    EXPECT_NO_THROW(require_valid_shape({kBig, kBig}, "op"));
    EXPECT_NO_THROW(require_valid_shape({kBig, kBig, 0}, "op"));
    EXPECT_THROW(require_valid_shape({kBig, kBig, 2}, "op"), ShapeError);
    EXPECT_THROW(require_valid_shape({kBig * kBig * 32}, "op"), ShapeError);      // 2^64 bytes of eight each
    EXPECT_THROW(require_valid_shape({0, kBig * kBig, kBig}, "op"), ShapeError);  // its strides
    EXPECT_THROW(require_valid_shape({3, -1}, "op"), ShapeError);
    EXPECT_THROW(require_valid_shape({0, -1}, "op"), ShapeError);
}

}  // namespace
}  // namespace burn::shape_test
