#include <burn/compiler/space.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::compiler::space_test {
namespace {

using testing::ElementsAre;

Space space_of(const Shape& shape, std::initializer_list<Layout> layouts, std::size_t split = kMaxRank) {
    std::vector<std::vector<std::int64_t>> strides;
    for (const Layout& layout : layouts) strides.push_back(broadcast_strides(layout, shape));
    return join_axes(shape, strides, split);
}

TEST(Space, ContiguousTensorsAreOneAxis) {
    const Layout layout = Layout::contiguous({2, 3, 4});
    const Space space = space_of({2, 3, 4}, {layout, layout});
    EXPECT_THAT(space.sizes, ElementsAre(24));
    EXPECT_THAT(space.strides[0], ElementsAre(1));
    EXPECT_EQ(space.rows(), 1);
}

TEST(Space, ARepeatedRowKeepsTwoAxes) {
    const Space space = space_of({2, 3, 4}, {Layout::contiguous({2, 3, 4}), Layout::contiguous({4})});
    EXPECT_THAT(space.sizes, ElementsAre(6, 4));
    EXPECT_THAT(space.strides[1], ElementsAre(0, 1));
}

TEST(Space, TransposedAxesStayApart) {
    const Space space = space_of({3, 2}, {Layout::contiguous({3, 2}), Layout::contiguous({2, 3}).permute({1, 0})});
    EXPECT_THAT(space.sizes, ElementsAre(3, 2));
    EXPECT_THAT(space.strides[1], ElementsAre(1, 3));
}

TEST(Space, TheLastAxisCanBeKept) {
    const Layout layout = Layout::contiguous({2, 3, 4});
    const Space space = space_of({2, 3, 4}, {layout}, 2);
    EXPECT_THAT(space.sizes, ElementsAre(6, 4));
    EXPECT_EQ(space.rows(), 6);
}

TEST(Space, AxesOfOneGoAwayAndOneElementIsARow) {
    EXPECT_THAT(space_of({1, 5, 1}, {Layout::contiguous({1, 5, 1})}).sizes, ElementsAre(5));
    EXPECT_THAT(space_of({1, 1}, {Layout::contiguous({1, 1})}).sizes, ElementsAre(1));
}

}  // namespace
}  // namespace burn::compiler::space_test
