#include <burn/compiler/autotune/key.h>

#include <burn/base/error.h>

#include <gtest/gtest.h>

#include <string>

namespace burn::autotune::key_test {
namespace {

TEST(Key, IsItsFields) {
    const Key key = Key().add("dtype", "f32").add("m", 64);
    EXPECT_EQ(key.text(), "dtype=f32 m=64");
    const std::string same_word = "f32";  // at another address
    EXPECT_EQ(key, Key().add("dtype", same_word.c_str()).add("m", 64));
    EXPECT_EQ(key.hash(), Key().add("dtype", same_word.c_str()).add("m", 64).hash());
    EXPECT_NE(key, Key().add("dtype", "f64").add("m", 64));
    EXPECT_NE(key, Key().add("dtype", "f32").add("m", 65));
    EXPECT_NE(key, Key().add("dtype", "f32").add("n", 64));
    EXPECT_NE(key, Key().add("dtype", "f32"));
    EXPECT_NE(key, Key().add("m", 64).add("dtype", "f32"));
    EXPECT_NE(Key().add("a", "0"), Key().add("a", std::int64_t{0})) << "a word is no number";
    EXPECT_EQ(Key().text(), "");
}

TEST(Key, HasRoomForSixteenFields) {
    Key key;
    for (std::size_t i = 0; i < Key::kMaxFields; ++i) key.add("x", static_cast<std::int64_t>(i));
    EXPECT_THROW(key.add("x", 0), InternalError);
}

TEST(Bucket, IsTheNearestOfPowersOfTwoAndOneAndAHalfOfThem) {
    const std::int64_t expected[][2] = {{0, 0},   {1, 1},   {2, 2},   {3, 3},   {4, 4},     {5, 6},       {6, 6},
                                        {7, 8},   {8, 8},   {9, 8},   {10, 12}, {13, 12},   {14, 16},     {64, 64},
                                        {79, 64}, {80, 96}, {96, 96}, {97, 96}, {112, 128}, {1023, 1024}, {1025, 1024}};
    for (const auto& [size, rounded] : expected) EXPECT_EQ(bucket(size), rounded) << size;
    EXPECT_EQ(bucket((std::int64_t{1} << 40) + 5), std::int64_t{1} << 40);
    EXPECT_EQ(bucket(-3), 0);
}

}  // namespace
}  // namespace burn::autotune::key_test
