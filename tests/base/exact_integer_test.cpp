#include <burn/base/exact_integer.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace burn::exact_integer_test {
namespace {

static_assert(exact_integer<std::int64_t>(std::uint8_t{200}, ErrorKind::Argument, "x") == 200);
static_assert(exact_integer<std::uint8_t>(255, ErrorKind::Argument, "x") == 255);

template <class To, class From>
std::string fault(From value) {
    try {
        exact_integer<To>(value, ErrorKind::Argument, "the width");
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return "";
}

TEST(ExactInteger, NamesWhatTheTypeDoesNotHaveAsItWasGiven) {
    EXPECT_EQ(fault<std::int64_t>(std::numeric_limits<std::uint64_t>::max()),
              "the width is 18446744073709551615; expected -9223372036854775808 to 9223372036854775807");
    EXPECT_EQ(fault<std::uint64_t>(-1), "the width is -1; expected 0 to 18446744073709551615");
    EXPECT_EQ(fault<std::int32_t>(std::int64_t{1} << 40),
              "the width is 1099511627776; expected -2147483648 to 2147483647");
    EXPECT_EQ(fault<std::int64_t>(std::uint64_t{1} << 63),
              "the width is 9223372036854775808; expected -9223372036854775808 to 9223372036854775807");
}

TEST(ExactInteger, TakesTheEndsOfTheType) {
    EXPECT_EQ(fault<std::int64_t>(std::uint64_t{std::numeric_limits<std::int64_t>::max()}), "");
    EXPECT_EQ(fault<std::int32_t>(std::int64_t{std::numeric_limits<std::int32_t>::min()}), "");
    EXPECT_EQ(fault<std::uint64_t>(0), "");
}

}  // namespace
}  // namespace burn::exact_integer_test
