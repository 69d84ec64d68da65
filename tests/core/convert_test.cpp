#include <burn/core/convert.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace burn::convert_test {
namespace {

/// Truncation towards 0 inside the range, its ends outside, 0 for NaN; at and beside every border.
template <class To, class From>
void check_saturation() {
    constexpr To low = std::numeric_limits<To>::min();
    constexpr To high = std::numeric_limits<To>::max();
    const From beyond = std::ldexp(From(1), std::numeric_limits<To>::digits);  // the first number that does not fit
    EXPECT_EQ((convert_element<To>(beyond)), high);
    EXPECT_EQ((convert_element<To>(std::nextafter(beyond, From(0)))), static_cast<To>(std::nextafter(beyond, From(0))));
    EXPECT_EQ((convert_element<To>(From(INFINITY))), high);
    EXPECT_EQ((convert_element<To>(-From(INFINITY))), low);
    EXPECT_EQ((convert_element<To>(From(NAN))), To(0));
    EXPECT_EQ((convert_element<To>(static_cast<From>(low))), low);
    EXPECT_EQ((convert_element<To>(std::nextafter(static_cast<From>(low), -From(INFINITY)))), low);
    EXPECT_EQ((convert_element<To>(From(2.9f))), To(2));
    EXPECT_EQ((convert_element<To>(From(-0.9f))), To(0));
    if constexpr (std::is_signed_v<To>) {
        EXPECT_EQ((convert_element<To>(From(-2.9f))), To(-2));
    } else {
        EXPECT_EQ((convert_element<To>(From(-2.9f))), To(0));
    }
}

template <class From>
void check_every_integer() {
    check_saturation<std::int64_t, From>();
    check_saturation<std::int32_t, From>();
    check_saturation<std::int16_t, From>();
    check_saturation<std::int8_t, From>();
    check_saturation<std::uint64_t, From>();
    check_saturation<std::uint32_t, From>();
    check_saturation<std::uint16_t, From>();
    check_saturation<std::uint8_t, From>();
}

TEST(ConvertElement, FloatToIntTruncatesAndSaturates) {
    check_every_integer<float>();
    check_every_integer<double>();
}

TEST(ConvertElement, HalfToIntSaturatesToo) {
    EXPECT_EQ(convert_element<std::int8_t>(f16(1000.0f)), 127);
    EXPECT_EQ(convert_element<std::uint8_t>(bf16(-3.0f)), 0);
    EXPECT_EQ(convert_element<std::int16_t>(bf16(1e30f)), 32767);
    EXPECT_EQ(convert_element<std::int64_t>(f16(static_cast<float>(NAN))), 0);
}

TEST(ConvertElement, IntToIntKeepsTheLowBits) {
    EXPECT_EQ((convert_element<std::int8_t>(std::int32_t{200})), -56);
    EXPECT_EQ((convert_element<std::uint64_t>(std::int8_t{-1})), ~std::uint64_t{0});
    EXPECT_EQ((convert_element<std::int32_t>(std::uint64_t{0x1'8000'0000})), INT32_MIN);
}

TEST(ConvertElement, AnythingToBoolIsNotZero) {
    EXPECT_TRUE(convert_element<bool>(0.25));
    EXPECT_TRUE(convert_element<bool>(NAN));
    EXPECT_FALSE(convert_element<bool>(-0.0f));
    EXPECT_TRUE(convert_element<bool>(std::int64_t{1} << 40));
    EXPECT_FALSE(convert_element<bool>(f16(0.0f)));
    EXPECT_TRUE(convert_element<bool>(bf16(-1.0f)));
    EXPECT_EQ(convert_element<float>(true), 1.0f);
    EXPECT_EQ(static_cast<float>(convert_element<f16>(true)), 1.0f);
    EXPECT_EQ(convert_element<std::uint8_t>(false), 0);
}

TEST(ConvertElement, FloatToFloatRoundsToNearest) {
    EXPECT_EQ(convert_element<float>(0.1), 0.1f);
    EXPECT_EQ(convert_element<float>(1e300), std::numeric_limits<float>::infinity());
    EXPECT_EQ(convert_element<double>(f16(1.0f / 3)), 0x1.554p-2);
    EXPECT_EQ(convert_element<bf16>(f16(1.0f / 3)).bits, 0x3eab);
}

}  // namespace
}  // namespace burn::convert_test
