#include <burn/base/small_vector.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace burn::small_vector_test {
namespace {

using Strings = SmallVector<std::string, 2>;

/// Long enough to live on the heap, so that a sanitizer sees every mistake.
std::string word(int i) { return "a string that is too long to be kept inside: " + std::to_string(i); }

Strings words(int count) {
    Strings result;
    for (int i = 0; i < count; ++i) result.push_back(word(i));
    return result;
}

void expect_words(const Strings& vector, int count) {
    ASSERT_EQ(vector.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_EQ(vector[static_cast<std::size_t>(i)], word(i));
}

TEST(SmallVector, GrowsFromInsideToTheHeap) {
    for (int count = 0; count < 9; ++count) expect_words(words(count), count);
}

TEST(SmallVector, CopiesAndMovesOnBothSidesOfTheBorder) {
    for (int from = 0; from < 6; ++from) {
        for (int to = 0; to < 6; ++to) {
            Strings source = words(from);
            Strings target = words(to);
            target = source;
            expect_words(target, from);
            expect_words(source, from);
            target = words(to);
            target = std::move(source);
            expect_words(target, from);
            EXPECT_TRUE(source.empty());
            source.push_back("usable again");
            EXPECT_EQ(source.back(), "usable again");
            expect_words(Strings(target), from);
            expect_words(Strings(std::move(target)), from);
        }
    }
}

TEST(SmallVector, TakesAnElementOfItsOwn) {
    Strings vector = words(2);  // the next one makes it grow
    vector.push_back(vector[0]);
    ASSERT_EQ(vector.size(), 3u);
    EXPECT_EQ(vector[0], word(0));
    EXPECT_EQ(vector[1], word(1));
    EXPECT_EQ(vector[2], word(0));
    EXPECT_EQ(vector.emplace_back(3, 'x'), "xxx");
}

TEST(SmallVector, SurvivesAssignmentToItself) {
    Strings vector = words(3);
    Strings& same = vector;
    vector = same;
    expect_words(vector, 3);
    vector = std::move(same);
    expect_words(vector, 3);
}

TEST(SmallVector, PushesAnElementOfItself) {
    Strings vector = words(2);
    vector.push_back(vector[0]);  // grows while the argument lies inside
    EXPECT_EQ(vector[2], word(0));
}

TEST(SmallVector, ResizesBothWays) {
    SmallVector<int, 2> vector(3, 7);
    EXPECT_EQ(vector, (SmallVector<int, 2>{7, 7, 7}));
    vector.resize(1);
    vector.resize(4, 5);
    EXPECT_EQ(vector, (SmallVector<int, 2>{7, 5, 5, 5}));
    vector.pop_back();
    vector.clear();
    EXPECT_TRUE(vector.empty());
    EXPECT_FALSE(vector == (SmallVector<int, 2>{1}));
}

TEST(SmallVector, HoldsWhatCanOnlyBeMoved) {
    SmallVector<std::unique_ptr<int>, 1> vector;
    for (int i = 0; i < 4; ++i) vector.push_back(std::make_unique<int>(i));
    const SmallVector<std::unique_ptr<int>, 1> moved = std::move(vector);
    EXPECT_EQ(*moved[3], 3);
}

TEST(SmallVector, DestroysEveryElementOnce) {
    const auto counted = std::make_shared<int>(0);
    {
        SmallVector<std::shared_ptr<int>, 2> vector(5, counted);
        EXPECT_EQ(counted.use_count(), 6);
        vector.pop_back();
        SmallVector<std::shared_ptr<int>, 2> copy = vector;
        EXPECT_EQ(counted.use_count(), 9);
        copy = SmallVector<std::shared_ptr<int>, 2>();
        EXPECT_EQ(counted.use_count(), 5);
    }
    EXPECT_EQ(counted.use_count(), 1);
}

}  // namespace
}  // namespace burn::small_vector_test
