#include "collision.h"

#include <gtest/gtest.h>

namespace burn::compiler::structure_key_test {
namespace {

StructureKey key_of(std::initializer_list<std::uint64_t> words) {
    StructureKey key;
    for (const std::uint64_t word : words) key.append(word);
    return key;
}

TEST(StructureKey, IsTheWordsHoweverTheyCame) {
    StructureKey at_once;
    at_once.append(3, [](std::uint64_t* to) {
        for (std::uint64_t word = 1; word <= 3; ++word) *to++ = word;
    });
    const StructureKey one_by_one = key_of({1, 2, 3});
    EXPECT_EQ(at_once, one_by_one);
    EXPECT_EQ(at_once.hash(), one_by_one.hash());
    EXPECT_NE(at_once, key_of({1, 3, 2}));
    EXPECT_NE(at_once.hash(), key_of({1, 3, 2}).hash());
    EXPECT_NE(at_once, key_of({1, 2}));
    EXPECT_NE(at_once, key_of({1, 2, 3, 0}));
}

TEST(StructureKey, StartsAgainWhenCleared) {
    StructureKey key = key_of({5, 6});
    key.clear();
    EXPECT_EQ(key, StructureKey());
    key.append(1);
    EXPECT_EQ(key, key_of({1}));
    EXPECT_EQ(key.hash(), key_of({1}).hash());
}

TEST(StructureKey, ACopyGrowsByItself) {
    const StructureKey original = key_of({1, 2, 3});
    StructureKey copy = original;
    EXPECT_EQ(copy, original);
    copy.append(4);
    EXPECT_EQ(copy, key_of({1, 2, 3, 4}));
    EXPECT_EQ(original, key_of({1, 2, 3}));
}

TEST(StructureKey, OneHashDoesNotMakeTwoKeysEqual) {
    const auto [a, b] = keys_of_one_hash();
    EXPECT_EQ(a.hash(), b.hash());
    EXPECT_NE(a, b);
}

}  // namespace
}  // namespace burn::compiler::structure_key_test
