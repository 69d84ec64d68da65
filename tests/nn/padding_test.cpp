#include <burn/nn/padding.h>

#include <gtest/gtest.h>

#include <limits>

namespace burn::nn::padding_test {
namespace {

TEST(Padding, OfSameIsWhatTheWindowsNeed) {
    // size 5, kernel 4, stride 2: 3 results cover 8; 3 zeros, 1 in front. size 6, kernel 1, stride 4: nothing.
    const Window window = Window::of({4, 1}, {2, 4}, {1, 1}, PaddingConfig2d::same());
    const Padding padding = padding_for(window, {1, 1, 5, 6});
    EXPECT_EQ(padding.before, (Dims{1, 0}));
    EXPECT_EQ(padding.after, (Dims{2, 0}));
    EXPECT_FALSE(padding.is_symmetric());
    const Padding dilated = padding_for(Window::of(3, 1, 2, PaddingConfig1d::same()), {1, 1, 9});
    EXPECT_EQ(dilated.before, (Dims{2}));
    EXPECT_EQ(dilated.after, (Dims{2}));
}

TEST(Padding, IsWhatWasGiven) {
    const Padding given =
        padding_for(Window::of({3, 3}, {1, 1}, {1, 1}, PaddingConfig2d::exactly(1, 2, 3, 4)), {1, 1, 9, 9});
    EXPECT_EQ(given.before, (Dims{1, 2}));
    EXPECT_EQ(given.after, (Dims{3, 4}));
    const Padding none = padding_for(Window::of(3, 1, 1, PaddingConfig1d::valid()), {1, 1, 9});
    EXPECT_EQ(none.before, (Dims{0}));
    EXPECT_TRUE(none.is_symmetric());
}

TEST(Padding, OfSameRefusesWindowsThatAreNone) {
    for (const std::int64_t bad :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 31, std::numeric_limits<std::int64_t>::max()}) {
        const auto padding = [](std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
            return padding_for(Window::of(kernel, stride, dilation, PaddingConfig1d::same()), {1, 1, 9});
        };
        EXPECT_THROW(padding(bad, 1, 1), ArgumentError) << bad;
        EXPECT_THROW(padding(3, bad, 1), ArgumentError) << bad;
        EXPECT_THROW(padding(3, 1, bad), ArgumentError) << bad;
    }
}

}  // namespace
}  // namespace burn::nn::padding_test
