#include <burn/store/quote.h>

#include <gtest/gtest.h>

namespace burn::store {
namespace {

TEST(Quote, EscapesWhatCouldMislead) {
    EXPECT_EQ(quote("fc.weight"), "\"fc.weight\"");
    EXPECT_EQ(quote("a\"b\\c"), "\"a\\\"b\\\\c\"");
    EXPECT_EQ(quote("a\n\x1b[1m\x7f"), "\"a\\x0a\\x1b[1m\\x7f\"");
    EXPECT_EQ(quote("ключ"), "\"ключ\"");
}

TEST(Quote, CutsLongNamesInTheMiddleAndPathsAtTheStart) {
    EXPECT_EQ(quote(std::string(96, 'x')), '"' + std::string(96, 'x') + '"');
    EXPECT_EQ(quote(std::string(60, 'a') + std::string(60, 'b')),
              '"' + std::string(48, 'a') + "..." + std::string(48, 'b') + '"');
    EXPECT_EQ(quote_path("/" + std::string(300, 'd') + "/model.bpk"), "\"..." + std::string(190, 'd') + "/model.bpk\"");
}

TEST(Quote, NeverSplitsACharacter) {
    std::string euros;  // three bytes each
    for (int i = 0; i < 100; ++i) euros += "€";
    EXPECT_EQ(quote("x" + euros), "\"x" + euros.substr(0, 45) + "..." + euros.substr(0, 48) + '"');
    EXPECT_EQ(quote_path(euros), "\"..." + euros.substr(0, 198) + '"');
}

}  // namespace
}  // namespace burn::store
