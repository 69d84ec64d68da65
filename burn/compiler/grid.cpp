#include <burn/compiler/grid.h>

#include <algorithm>

namespace burn::compiler {

namespace {

/// Elements that one cube works on: enough to make a hand-over between threads cheap, few enough to stay in a cache.
constexpr std::int64_t kCubeElements = 8192;
/// Columns that one cube sums: their sums stay in the first cache beside what is added to them, and rows that are no longer
/// lie one behind the other, which the processor follows best.
constexpr std::int64_t kSummedColumns = 2048;
/// Cubes that are enough for all threads, and rows beside which it is little work to write a part and add it to the others.
constexpr std::int64_t kEnoughCubes = 64, kRowsPerPart = 64;
/// So many times the elements of a cube where that makes few first and last rows, and there are enough cubes.
constexpr std::int64_t kMoreRows = 8;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// How many rows one cube sums, when `cubes_beside` others work on the same rows.
std::int64_t rows_of_part(std::int64_t rows, std::int64_t row_elements, std::int64_t cubes_beside) {
    const std::int64_t parts =
        std::min({kEnoughCubes / cubes_beside, rows / kRowsPerPart, rows * row_elements / kCubeElements});
    return divide_up(rows, std::max<std::int64_t>(1, parts));
}

/// How many rows one cube works on, at most `times` as many as usual.
std::int64_t rows_of_cube(std::int64_t rows, std::int64_t row_elements, std::int64_t times) {
    const std::int64_t usual = std::max<std::int64_t>(1, kCubeElements / std::max<std::int64_t>(1, row_elements));
    return usual * std::clamp<std::int64_t>(rows / (usual * kEnoughCubes), 1, times);
}

}  // namespace

Grid make_grid(const Space& space, const Walk& walk) {
    const std::int64_t columns = space.columns(), rows = space.rows(), lines = space.lines();
    Grid grid;
    if (walk.whole_rows) {
        grid.block = columns;
        grid.rows_per_cube = walk.sums_columns ? rows_of_part(rows, lines * columns, 1)
                                               : rows_of_cube(rows, lines * columns, walk.begins_early ? kMoreRows : 1);
    } else if (walk.sums_columns) {
        grid.lines_in_cubes = space.outer < space.last();
        grid.block = std::min(columns, kSummedColumns);
        grid.blocks = divide_up(columns, grid.block);
        grid.rows_per_cube = rows_of_part(rows, lines * columns, lines * grid.blocks);
    } else {
        grid.block = std::max<std::int64_t>(1, std::min(columns, kCubeElements));
        grid.blocks = divide_up(columns, grid.block);
        // Where a row is one block, a cube takes several rows.
        grid.rows_per_cube = grid.blocks == 1 ? std::max<std::int64_t>(1, kCubeElements / grid.block) : 1;
    }
    if (walk.single_rows) grid.rows_per_cube = 1;
    if (walk.kept > 1) grid.rows_per_cube = rows / walk.kept;
    grid.parts = divide_up(rows, grid.rows_per_cube);
    grid.cubes = grid.parts * grid.blocks * (grid.lines_in_cubes ? lines : 1);
    grid.combines = (walk.sums_columns && grid.parts > walk.kept) || (walk.sums_all && grid.cubes > 1);
    return grid;
}

}  // namespace burn::compiler
