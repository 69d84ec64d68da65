#include <burn/module/path.h>

#include <gtest/gtest.h>

namespace burn::path_test {
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

TEST(Path, MovedFromIsTheModuleItself) {
    for (const char* text : {"a", "a.very.long.path.that.does.not.fit.into.the.path.itself.but.is.allocated"}) {
        Path path(text);
        Path taken = std::move(path);
        EXPECT_STREQ(taken.text(), text);
        EXPECT_STREQ(path.text(), "");  // NOLINT(bugprone-use-after-move): that is the question
        EXPECT_EQ(path.size(), 0u);
        path.push("b");
        path.push(3);
        EXPECT_STREQ(path.text(), "b.3");
        path = std::move(taken);
        EXPECT_STREQ(path.text(), text);
        EXPECT_STREQ(taken.text(), "");  // NOLINT(bugprone-use-after-move)
    }
}

}  // namespace
}  // namespace burn::path_test
