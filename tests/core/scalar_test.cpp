#include <burn/core/scalar.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace burn::scalar_test {
namespace {

TEST(Scalar, KeepsAllBitsOfIntegersAndDoubles) {
    EXPECT_EQ(Scalar(INT64_MAX).to<std::int64_t>(), INT64_MAX);
    EXPECT_EQ(Scalar(INT64_MAX - 1).to<std::int64_t>(), INT64_MAX - 1);
    EXPECT_EQ(Scalar(UINT64_MAX).to<std::uint64_t>(), UINT64_MAX);
    EXPECT_EQ(Scalar(UINT64_MAX).to<double>(), 0x1p64);
    EXPECT_EQ(Scalar(0.1).to<double>(), 0.1);
    EXPECT_EQ(Scalar(0.1f).to<float>(), 0.1f);
    EXPECT_TRUE(Scalar(1.0).is_floating());
    EXPECT_FALSE(Scalar(1).is_floating());
    EXPECT_FALSE(Scalar().is_floating());
    EXPECT_EQ(Scalar(UINT64_MAX).type(), DType::U64);
    for (const Scalar scalar : {Scalar(-1), Scalar(1u), Scalar(std::uint64_t{INT64_MAX}), Scalar()})
        EXPECT_EQ(scalar.type(), DType::I64);
}

TEST(Scalar, TakesTheTypeItMeets) {
    EXPECT_EQ(Scalar(3).to<float>(), 3.0f);
    EXPECT_EQ(Scalar(-2.75).to<int>(), -2);
    EXPECT_EQ(Scalar(1.5).to<f16>().bits, f16(1.5f).bits);
    EXPECT_TRUE(Scalar(0.5).to<bool>());
    EXPECT_FALSE(Scalar(0).to<bool>());
    EXPECT_TRUE(Scalar(true).to<bool>());
}

TEST(Scalar, EqualsOnlyItsOwnKind) {
    EXPECT_EQ(Scalar(2), Scalar(2));
    EXPECT_FALSE(Scalar(2) == Scalar(2.0));
    EXPECT_FALSE(Scalar(-1) == Scalar(UINT64_MAX));
    EXPECT_EQ(Scalar(std::uint64_t{2}), Scalar(2));
    EXPECT_FALSE(Scalar(2.0) == Scalar(2.5));
}

TEST(Scalar, IsWrittenAsItIs) {
    EXPECT_STREQ((Message() << "" << Scalar(-7)).text(), "-7");
    EXPECT_STREQ((Message() << "" << Scalar(0.25)).text(), "0.25");
    EXPECT_STREQ((Message() << "" << Scalar(UINT64_MAX)).text(), "18446744073709551615");
}

}  // namespace
}  // namespace burn::scalar_test
