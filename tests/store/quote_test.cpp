#include <burn/store/quote.h>

#include <gtest/gtest.h>

namespace burn::store::quote_test {
namespace {

TEST(Quote, EscapesWhatCouldMislead) {
    EXPECT_EQ(quote("fc.weight"), "\"fc.weight\"");
    EXPECT_EQ(quote("a\"b\\c"), "\"a\\\"b\\\\c\"");
    EXPECT_EQ(quote("a\n\x1b[1m\x7f"), "\"a\\x0a\\x1b[1m\\x7f\"");
    EXPECT_EQ(quote("ключ"), "\"ключ\"");
    EXPECT_EQ(quote("a\xff\xc3"), "\"a\\xff\\xc3\"");  // no UTF-8
    EXPECT_EQ(quote("\xc2\x9b"
                    "31m"),
              "\"\\xc2\\x9b31m\"");  // U+009B, a control sequence in one character
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

// The limits of RFC 3629.
TEST(IsUtf8, TakesWellFormedTextsOnly) {
    for (const char* good : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                             "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
        EXPECT_TRUE(is_utf8(good)) << good;
    }
    for (const char* bad : {"\x80", "\xc0\xaf", "\xc1\xbf", "\xc2", "\xc2z", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
                            "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
        EXPECT_FALSE(is_utf8(bad)) << quote(bad);
    }
}

}  // namespace
}  // namespace burn::store::quote_test
