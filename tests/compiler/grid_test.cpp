#include <burn/compiler/grid.h>
#include <gtest/gtest.h>

namespace burn::compiler::grid_test {
namespace {

/// A space of one tensor with these outer and inner axes.
Space space_of(std::vector<std::int64_t> outer, std::vector<std::int64_t> inner) {
    Space space;
    space.outer = outer.size();
    space.sizes = std::move(outer);
    space.sizes.insert(space.sizes.end(), inner.begin(), inner.end());
    return space;
}

TEST(Grid, ShortRowsAreTakenTogetherAndLongOnesCut) {
    const Grid many = make_grid(space_of({1000}, {100}), {});
    EXPECT_EQ(many.rows_per_cube, 81);  // 8192 / 100
    EXPECT_EQ(many.cubes, 13);
    const Grid one = make_grid(space_of({}, {20000}), {});
    EXPECT_EQ(one.blocks, 3);
    EXPECT_EQ(one.cubes, 3);
    EXPECT_FALSE(one.combines);
    EXPECT_EQ(make_grid(space_of({}, {100000}), {.whole_rows = true}).cubes, 1) << "a row that is reduced is not cut";
}

TEST(Grid, RowsThatAreBegunEarlyShareLargerCubes) {
    const Space many = space_of({2048}, {2048});
    EXPECT_EQ(make_grid(many, {.whole_rows = true}).rows_per_cube, 4);
    EXPECT_EQ(make_grid(many, {.whole_rows = true, .begins_early = true}).rows_per_cube, 32);
    EXPECT_EQ(make_grid(space_of({512}, {2048}), {.whole_rows = true, .begins_early = true}).cubes, 64)
        << "enough for all threads";
    EXPECT_EQ(make_grid(space_of({100}, {2048}), {.whole_rows = true, .begins_early = true}).rows_per_cube, 4);
}

TEST(Grid, FewColumnsAreSummedInParts) {
    const Grid narrow = make_grid(space_of({6400}, {64}), {.sums_columns = true});
    EXPECT_EQ(narrow.parts, 50);  // 6400 * 64 / 8192
    EXPECT_EQ(narrow.rows_per_cube, 128);
    EXPECT_TRUE(narrow.combines);
    const Grid wide = make_grid(space_of({2048}, {131072}), {.sums_columns = true});
    EXPECT_EQ(wide.parts, 1) << "64 blocks of columns are cubes enough";
    EXPECT_EQ(wide.cubes, 64);
    EXPECT_FALSE(wide.combines);
    EXPECT_EQ(make_grid(space_of({30}, {100}), {.sums_columns = true}).cubes, 1);
}

TEST(Grid, LinesOfColumnsAreCubesToo) {
    const Grid grid = make_grid(space_of({100}, {5, 300}), {.sums_columns = true});
    EXPECT_TRUE(grid.lines_in_cubes);
    EXPECT_EQ(grid.cubes, grid.parts * 5);
    EXPECT_FALSE(make_grid(space_of({100}, {5, 300}), {.whole_rows = true, .sums_columns = true}).lines_in_cubes);
}

TEST(Grid, EveryResultOfColumnsIsACube) {
    const Grid grid = make_grid(space_of({20, 500}, {6000}), {.sums_columns = true, .kept = 20});
    EXPECT_EQ(grid.rows_per_cube, 500);
    EXPECT_EQ(grid.cubes, 20 * 3);
    EXPECT_FALSE(grid.combines);
    const Grid rows = make_grid(space_of({20, 500}, {100}), {.whole_rows = true, .sums_columns = true, .kept = 20});
    EXPECT_EQ(rows.cubes, 20);
    EXPECT_FALSE(rows.combines);
}

TEST(Grid, EveryCubeMakesAPartOfASumOfAll) {
    EXPECT_TRUE(make_grid(space_of({}, {20000}), {.sums_all = true}).combines);
    EXPECT_FALSE(make_grid(space_of({}, {2000}), {.sums_all = true}).combines);
}

TEST(Grid, NothingIsNoCube) {
    EXPECT_EQ(make_grid(space_of({}, {0}), {}).cubes, 0);
    EXPECT_EQ(make_grid(space_of({0}, {7}), {}).cubes, 0);
}

}  // namespace
}  // namespace burn::compiler::grid_test
