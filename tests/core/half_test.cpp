#include <burn/core/half.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace burn::half_test {
namespace {

/// A small format of IEEE 754, written from the standard: `digits` bits of significand, exponents from `lowest`.
struct Format {
    int digits;
    int lowest;
    double largest;

    /// What the bits mean: (-1)^s 2^e 1.f, with e = lowest and 0.f where the exponent bits are 0.
    double decode(unsigned bits) const {
        const int fraction_bits = digits - 1;
        const int exponent_bits = 16 - digits;
        const unsigned fraction = bits & ((1u << fraction_bits) - 1);
        const auto exponent = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
        const double sign = (bits >> 15) != 0 ? -1 : 1;
        if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * INFINITY : NAN;
        const double value = exponent == 0
                                 ? std::ldexp(fraction, lowest - fraction_bits)
                                 : std::ldexp((1u << fraction_bits) + fraction, lowest + exponent - 1 - fraction_bits);
        return sign * value;
    }

    /// The nearest value of the format, ties to the even one; exact in double.
    double round(double value) const {
        int exponent = 0;
        std::frexp(value, &exponent);
        const int unit = std::max(exponent - digits, lowest - (digits - 1));
        const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
        return std::abs(rounded) > largest ? std::copysign(INFINITY, value) : rounded;
    }
};

constexpr Format kF16{11, -14, 65504};
const Format kBF16{8, -126, std::ldexp(255, 120)};

bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }

/// All 65,536 values, and what lies on and beside the middle between each and the next.
template <class Half>
void check_format(const Format& format) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        Half half;
        half.bits = static_cast<std::uint16_t>(bits);
        const double value = static_cast<double>(static_cast<float>(half));
        ASSERT_TRUE(same(value, format.decode(bits))) << std::hex << bits << " gives " << value;
        if (std::isnan(value)) {
            ASSERT_TRUE(std::isnan(static_cast<float>(Half(static_cast<float>(value)))));
            continue;
        }
        ASSERT_EQ(Half(static_cast<float>(value)).bits, bits);
        const double next = format.decode((bits & 0x7fff) < 0x7fff ? bits + 1 : bits);
        if (!std::isfinite(value) || std::isnan(next)) continue;
        const float middle = static_cast<float>(
            std::isinf(next) ? value + std::copysign(std::ldexp(1, 15 - format.lowest), value) : (value + next) / 2);
        for (const float tried : {middle, std::nextafter(middle, INFINITY), std::nextafter(middle, -INFINITY)}) {
            const double got = static_cast<double>(static_cast<float>(Half(tried)));
            ASSERT_TRUE(same(got, format.round(static_cast<double>(tried)))) << tried << " gives " << got;
        }
    }
}

TEST(F16, AllValuesAndWhatRoundsToThem) { check_format<f16>(kF16); }

TEST(BF16, AllValuesAndWhatRoundsToThem) { check_format<bf16>(kBF16); }

// IEEE 754-2019, table 3.5 and the examples of the binary16 article: the largest, the smallest normal and subnormal numbers.
TEST(F16, KnownBitPatterns) {
    EXPECT_EQ(f16(1.0f).bits, 0x3c00);
    EXPECT_EQ(f16(-2.0f).bits, 0xc000);
    EXPECT_EQ(f16(65504.0f).bits, 0x7bff);
    EXPECT_EQ(f16(65519.99f).bits, 0x7bff);
    EXPECT_EQ(f16(65520.0f).bits, 0x7c00);
    EXPECT_EQ(f16(0x1p-14f).bits, 0x0400);
    EXPECT_EQ(f16(0x1p-24f).bits, 0x0001);
    EXPECT_EQ(f16(0x1p-25f).bits, 0x0000);
    EXPECT_EQ(f16(0x1.8p-25f).bits, 0x0001);
    EXPECT_EQ(f16(-0.0f).bits, 0x8000);
    EXPECT_EQ(f16(1.0f / 3).bits, 0x3555);
}

TEST(BF16, KnownBitPatterns) {
    EXPECT_EQ(bf16(1.0f).bits, 0x3f80);
    EXPECT_EQ(bf16(3.140625f).bits, 0x4049);
    EXPECT_EQ(bf16(std::numeric_limits<float>::max()).bits, 0x7f80);
    EXPECT_EQ(bf16(-std::numeric_limits<float>::infinity()).bits, 0xff80);
}

}  // namespace
}  // namespace burn::half_test
