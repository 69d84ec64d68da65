#include <burn/base/hash.h>

#include <gtest/gtest.h>

#include <set>

namespace burn::hash_test {
namespace {

// The first outputs of SplitMix64 from seed 1234567, as published with Vigna's implementation: state += golden, then mix.
TEST(Hasher, MixesAsSplitMix64) {
    std::uint64_t state = 1234567;
    for (std::uint64_t expected :
         {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u}) {
        state += 0x9e3779b97f4a7c15u;
        EXPECT_EQ(Hasher::mix(state), expected);
    }
}

TEST(Hasher, TellsOrderLengthAndZerosApart) {
    std::set<std::uint64_t> seen;
    const auto hash = [&seen](std::initializer_list<std::uint64_t> values) {
        Hasher hasher;
        for (std::uint64_t value : values) hasher.add(value);
        seen.insert(hasher.value());
    };
    hash({});
    hash({0});
    hash({0, 0});
    hash({1, 2});
    hash({2, 1});
    hash({3});
    EXPECT_EQ(seen.size(), 6u);
}

TEST(Hasher, BytesIncludeTheirNumber) {
    Hasher one;
    one.add_bytes("ab", 2);
    one.add_bytes("c", 1);
    Hasher other;
    other.add_bytes("a", 1);
    other.add_bytes("bc", 2);
    EXPECT_NE(one.value(), other.value());
}

}  // namespace
}  // namespace burn::hash_test
