#include <burn/core/slice.h>

#include <gtest/gtest.h>

#include <vector>

namespace burn::slice_test {
namespace {

std::vector<std::int64_t> taken(const Slice& slice, std::int64_t size) {
    const SliceSpan span = resolve(slice, size, "op");
    std::vector<std::int64_t> result;
    for (std::int64_t i = 0; i < span.count; ++i) result.push_back(span.start + i * span.step);
    return result;
}

using Places = std::vector<std::int64_t>;

TEST(Slice, TakesARange) {
    EXPECT_EQ(taken(Slice(), 3), (Places{0, 1, 2}));
    EXPECT_EQ(taken(Slice(1, 3), 5), (Places{1, 2}));
    EXPECT_EQ(taken(Slice::from(3), 5), (Places{3, 4}));
    EXPECT_EQ(taken(Slice::to(2), 5), (Places{0, 1}));
    EXPECT_EQ(taken(Slice::at(-1), 5), (Places{4}));
    EXPECT_EQ(taken(Slice::at(1), 5), (Places{1}));
}

TEST(Slice, CountsNegativeBoundsFromTheEndAndClamps) {
    EXPECT_EQ(taken(Slice(-2, Slice::kToEnd), 5), (Places{3, 4}));
    EXPECT_EQ(taken(Slice(1, -1), 5), (Places{1, 2, 3}));
    EXPECT_EQ(taken(Slice(-100, 100), 3), (Places{0, 1, 2}));
    EXPECT_EQ(taken(Slice(INT64_MIN, INT64_MAX), 2), (Places{0, 1}));
    EXPECT_TRUE(taken(Slice(4, 2), 5).empty());
    EXPECT_TRUE(taken(Slice(9, 12), 5).empty());
    EXPECT_TRUE(taken(Slice(), 0).empty());
}

TEST(Slice, StepsForwardsAndBackwards) {
    EXPECT_EQ(taken(Slice(0, 7, 3), 9), (Places{0, 3, 6}));
    EXPECT_EQ(taken(Slice(1, 8, -2), 9), (Places{7, 5, 3, 1}));  // the chosen range, backwards from its last element
    EXPECT_EQ(taken(Slice(0, Slice::kToEnd, -1), 3), (Places{2, 1, 0}));
    EXPECT_EQ(taken(Slice(0, 3, 100), 3), (Places{0}));
    EXPECT_EQ(taken(Slice(0, 3, INT64_MIN), 3), (Places{2}));
    EXPECT_EQ(taken(Slice(0, 3, INT64_MAX), 3), (Places{0}));
    EXPECT_TRUE(taken(Slice(2, 2, -1), 3).empty());
    EXPECT_THROW(resolve(Slice(0, 3, 0), 3, "op"), ArgumentError);
}

// Every range of a small axis against a plain walk.
TEST(Slice, AgreesWithWalkingTheRange) {
    for (std::int64_t size = 0; size < 5; ++size) {
        for (std::int64_t start = -6; start < 7; ++start) {
            for (std::int64_t end = -6; end < 7; ++end) {
                const auto bound = [size](std::int64_t b) {
                    return std::min(size, std::max<std::int64_t>(0, b < 0 ? b + size : b));
                };
                for (std::int64_t step : {1, 2, 3}) {
                    Places forwards;
                    Places backwards;
                    for (std::int64_t i = bound(start); i < bound(end); i += step) forwards.push_back(i);
                    for (std::int64_t i = bound(end) - 1; i >= bound(start); i -= step) backwards.push_back(i);
                    EXPECT_EQ(taken(Slice(start, end, step), size), forwards);
                    EXPECT_EQ(taken(Slice(start, end, -step), size), backwards);
                }
            }
        }
    }
}

}  // namespace
}  // namespace burn::slice_test
