#include <burn/module/path.h>

#include <gtest/gtest.h>

namespace burn {
namespace {

TEST(Path, JoinsNamesAndNumbersWithDots) {
    Path path;
    EXPECT_STREQ(path.text(), "");
    path.push("encoder");
    const std::size_t size = path.size();
    path.push("layers");
    path.push(12);
    path.push("weight");
    EXPECT_STREQ(path.text(), "encoder.layers.12.weight");
    EXPECT_STREQ(path.last(), "weight");
    path.cut(size);
    EXPECT_STREQ(path.text(), "encoder");
    EXPECT_STREQ(path.last(), "encoder");
    EXPECT_EQ(path, Path("encoder"));
    EXPECT_TRUE(path == "encoder");
    EXPECT_FALSE(path == "encode");
    EXPECT_FALSE(path == "encoders");
}

TEST(Path, GrowsBeyondWhatItKeepsInside) {
    Path path;
    std::string expected;
    for (int i = 0; i < 40; ++i) {
        path.push("block");
        expected += i == 0 ? "block" : ".block";
    }
    EXPECT_EQ(path.text(), expected);
    EXPECT_EQ(path.size(), expected.size());
}

}  // namespace
}  // namespace burn
