#include <burn/core/layout.h>

#include <gtest/gtest.h>

#include <vector>

namespace burn::layout_test {
namespace {

/// The places of all elements, in row-major order: what a layout means.
std::vector<std::int64_t> places(const Layout& layout) {
    std::vector<std::int64_t> result;
    const auto walk = [&](auto&& self, std::size_t axis, std::int64_t place) -> void {
        if (axis == layout.shape.rank()) return result.push_back(place);
        for (std::int64_t i = 0; i < layout.shape[axis]; ++i) self(self, axis + 1, place + i * layout.strides[axis]);
    };
    walk(walk, 0, layout.offset);
    return result;
}

/// Views of all sorts over one buffer.
std::vector<Layout> samples() {
    const Layout whole = Layout::contiguous({2, 3, 4});
    std::vector<Layout> result = {whole,
                                  whole.permute({2, 0, 1}),
                                  whole.permute({0, 2, 1}),
                                  whole.flip(1),
                                  whole.flip(0).flip(2),
                                  whole.slice(2, 1, 2, 2),
                                  whole.slice(2, 3, 4, -1),
                                  whole.slice(1, 1, 1, 1),
                                  whole.slice(0, 1, 1, 1).slice(1, 2, 2, -2),
                                  whole.slice(1, 0, 0, 1),
                                  Layout::contiguous({1, 3, 1}).expand({2, 3, 4}),
                                  Layout::contiguous({4}).expand({2, 3, 4}),
                                  Layout::contiguous({6})};
    result.push_back(result[5].permute({1, 2, 0}));
    return result;
}

TEST(Layout, ContiguousCountsUp) {
    std::vector<std::int64_t> expected(24);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int64_t>(i);
    EXPECT_EQ(places(Layout::contiguous({2, 3, 4})), expected);
    EXPECT_EQ(Layout::contiguous({2, 3, 4}).strides, (Dims{12, 4, 1}));
}

TEST(Layout, IsContiguousExactlyWhenPlacesCountUpFromTheOffset) {
    for (const Layout& layout : samples()) {
        const auto found = places(layout);
        bool counts_up = true;
        for (std::size_t i = 0; i < found.size(); ++i)
            counts_up = counts_up && found[i] == layout.offset + static_cast<std::int64_t>(i);
        EXPECT_EQ(layout.is_contiguous(), counts_up);
    }
}

TEST(Layout, PermutingBackIsTheSame) {
    for (const Layout& layout : samples()) {
        if (layout.shape.rank() != 3) continue;
        const Layout there = layout.permute({2, 0, 1});
        EXPECT_EQ(there.shape, (Shape{layout.shape[2], layout.shape[0], layout.shape[1]}));
        EXPECT_EQ(places(there.permute({1, 2, 0})), places(layout));
    }
}

TEST(Layout, FlippingTwiceIsTheSame) {
    for (const Layout& layout : samples()) {
        for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
            EXPECT_EQ(places(layout.flip(axis).flip(axis)), places(layout));
            if (layout.shape[axis] > 1 && layout.strides[axis] != 0 && layout.shape.numel() > 0) {
                EXPECT_NE(places(layout.flip(axis)), places(layout));
            }
        }
    }
}

TEST(Layout, SlicesOfSlicesAreSlices) {
    const Layout whole = Layout::contiguous({20});
    EXPECT_EQ(places(whole.slice(0, 3, 8, 2).slice(0, 1, 3, 2)), (std::vector<std::int64_t>{5, 9, 13}));
    EXPECT_EQ(places(whole.slice(0, 9, 4, -2).slice(0, 3, 2, -2)), (std::vector<std::int64_t>{3, 7}));
    EXPECT_TRUE(places(whole.slice(0, 20, 0, 1)).empty());
}

TEST(Layout, ExpandedAxesStandStill) {
    const Layout layout = Layout::contiguous({3, 1}).expand({2, 3, 2});
    EXPECT_EQ(places(layout), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(layout.strides, (Dims{0, 1, 0}));
}

// The law of reshape: a view it gives names the same places in the same order; it may refuse, but not what steps evenly.
TEST(Layout, ReshapeKeepsThePlacesInOrder) {
    const Shape targets[] = {{24},         {4, 6},     {6, 4}, {2, 12},   {3, 8},   {2, 2, 6}, {1, 24, 1},
                             {2, 3, 2, 2}, {12, 1, 2}, {6},    {1, 6, 1}, {2, 3},   {3, 2},    {8},
                             {2, 4},       {12},       {3, 4}, {4, 3},    {2, 1, 6}};
    int made = 0;
    for (const Layout& layout : samples()) {
        for (const Shape& target : targets) {
            if (target.numel() != layout.shape.numel()) continue;
            Layout result;
            if (!layout.reshape(target, result)) {
                EXPECT_FALSE(layout.is_contiguous());
                continue;
            }
            ++made;
            EXPECT_EQ(result.shape, target);
            EXPECT_EQ(places(result), places(layout));
        }
        Layout same;
        EXPECT_TRUE(layout.reshape(layout.shape, same));
        EXPECT_EQ(places(same), places(layout));
    }
    EXPECT_GT(made, 20);
}

TEST(Layout, ReshapeTakesApartWhatStepsEvenly) {
    const Layout view = Layout::contiguous({2, 3, 4}).slice(2, 0, 2, 2);  // strides 12, 4, 2: all axes step evenly
    Layout result;
    ASSERT_TRUE(view.reshape({12}, result));
    EXPECT_EQ(result.strides, (Dims{2}));
    ASSERT_TRUE(view.permute({2, 0, 1}).reshape({2, 6}, result));
    EXPECT_EQ(result.strides, (Dims{2, 4}));
    EXPECT_FALSE(view.permute({2, 0, 1}).reshape({12}, result));
    EXPECT_FALSE(view.permute({2, 0, 1}).reshape({4, 3}, result));
}

}  // namespace
}  // namespace burn::layout_test
