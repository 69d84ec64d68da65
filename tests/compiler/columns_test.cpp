#include <burn/compiler/columns.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace burn::compiler::columns_test {
namespace {

/// Of the vectors of a row that a few cover, which accumulator each one goes to.
std::vector<std::size_t> copies(int vectors, int unroll, bool masked) {
    kernel::Builder k("walk");
    const RowWalk walk{k, 8, unroll, vectors, masked, k.index(vectors * 8 - (masked ? 3 : 0))};
    std::vector<std::size_t> result;
    walk.walk(k.index(0), *walk.columns, [&](const Columns& at) {
        EXPECT_EQ(at.vector, result.size());
        EXPECT_EQ(at.mask.has_value(), masked && at.vector + 1 == static_cast<std::size_t>(vectors));
        result.push_back(at.copy);
    });
    return result;
}

TEST(RowWalk, AStraightLineAddsUpAsALoopDoes) {
    using testing::ElementsAre;
    EXPECT_THAT(copies(3, 4, true), ElementsAre(0, 1, 2));
    EXPECT_THAT(copies(4, 4, false), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(copies(5, 4, true), ElementsAre(0, 1, 2, 3, 0));
    EXPECT_THAT(copies(7, 4, false), ElementsAre(0, 1, 2, 3, 0, 0, 0)) << "the rest one at a time";
    EXPECT_THAT(copies(8, 4, false), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
    EXPECT_THAT(copies(8, 4, true), ElementsAre(0, 1, 2, 3, 0, 0, 0, 0));
}

}  // namespace
}  // namespace burn::compiler::columns_test
