#include <burn/base/environment.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace burn::environment_test {
namespace {

constexpr const char* kName = "BURN_TEST_SETTING";

/// The variable as long as this lives.
class Set {
public:
    explicit Set(const char* value) { ::setenv(kName, value, 1); }
    Set(const Set&) = delete;
    Set& operator=(const Set&) = delete;
    ~Set() { ::unsetenv(kName); }
};

/// What `read` prints on stderr.
template <class Read>
std::string told(Read read) {
    testing::internal::CaptureStderr();
    read();
    return testing::internal::GetCapturedStderr();
}

std::string_view choice() { return environment_choice(kName, {"off", "kept", "on"}); }

TEST(Environment, WhatIsNotSetIsTheFirstChoice) {
    EXPECT_EQ(choice(), "off");
    const Set empty("");
    EXPECT_EQ(told([] { EXPECT_EQ(choice(), "off"); }), "");
}

TEST(Environment, AWordIsItsChoice) {
    const Set set("kept");
    EXPECT_EQ(told([] { EXPECT_EQ(choice(), "kept"); }), "");
}

TEST(Environment, DigitsSayOnAndOffWhereTheseAreChoices) {
    for (const auto& [digit, word] : {std::pair("1", "on"), {"0", "off"}}) {
        const Set set(digit);
        EXPECT_EQ(told([&] { EXPECT_EQ(choice(), word); }), "");
        EXPECT_NE(told([] { EXPECT_EQ(environment_choice(kName, {"", "wide", "narrow"}), ""); }), "") << digit;
    }
}

TEST(Environment, AMistypedWordIsToldAndDoesNothing) {
    const Set set("kpet");
    EXPECT_EQ(told([] { EXPECT_EQ(choice(), "off"); }),
              "burn: BURN_TEST_SETTING is \"kpet\"; expected off, kept or on\n");
}

TEST(Environment, SwitchesTakeWordsAndDigits) {
    EXPECT_TRUE(environment_switch(kName, true));
    EXPECT_FALSE(environment_switch(kName, false));
    for (const char* word : {"on", "1"}) {
        const Set set(word);
        EXPECT_TRUE(environment_switch(kName, false)) << word;
    }
    for (const char* word : {"off", "0"}) {
        const Set set(word);
        EXPECT_FALSE(environment_switch(kName, true)) << word;
    }
    const Set set("maybe");
    EXPECT_EQ(told([] { EXPECT_TRUE(environment_switch(kName, true)); }),
              "burn: BURN_TEST_SETTING is \"maybe\"; expected on, off, 1 or 0\n");
}

TEST(Environment, CountsAreWholeNumbersFromOne) {
    EXPECT_EQ(environment_count(kName, 64), 0);
    for (const auto& [word, count] : {std::pair("3", 3), {"64", 64}, {"65", 64}, {"99999999999999999999", 64}}) {
        const Set set(word);
        EXPECT_EQ(told([&] { EXPECT_EQ(environment_count(kName, 64), count) << word; }), "");
    }
    for (const char* word : {"0", "-2", "-99999999999999999999", "2x", "two", " 2"}) {
        const Set set(word);
        EXPECT_NE(told([] { EXPECT_EQ(environment_count(kName, 64), 0); }), "") << word;
    }
}

TEST(AbsolutePath, BeginsWhereTheProgramIs) {
    EXPECT_EQ(absolute_path("/a/b"), "/a/b");
    EXPECT_EQ(absolute_path("a/b"), (std::filesystem::current_path() / "a/b").string());
}

}  // namespace
}  // namespace burn::environment_test
