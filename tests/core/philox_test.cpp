#include <burn/core/philox.h>

#include <gtest/gtest.h>

namespace burn::philox_test {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The vectors of the authors: Random123 1.14, tests/kat_vectors, "philox4x32 10" (counter, key, result).
TEST(Philox, GivesTheAuthorsKnownAnswers) {
    EXPECT_EQ(philox4x32(0, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32(~0ull, ~0ull, ~0ull), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, IsAConstantExpression) { static_assert(philox4x32(0, 0)[0] == 0x6627e8d5); }

}  // namespace
}  // namespace burn::philox_test
