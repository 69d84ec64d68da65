#pragma once

#include <burn/compiler/space.h>

namespace burn::compiler {

/// What a group's kernel does with a row, as far as the cutting into cubes depends on it.
struct Walk {
    bool whole_rows = false;    ///< rows are reduced: a row is not cut
    bool sums_columns = false;  ///< columns are reduced
    bool sums_all = false;      ///< everything is reduced
    std::int64_t kept = 1;      ///< how often columns are reduced, over as many rows each
    bool single_rows = false;   ///< no cube works on two rows
    bool begins_early =
        false;  ///< a row is begun before the one before it is done, which the first and last of a cube are not
};

/// How a space is cut into cubes. It depends on the space alone, never on how many threads there are.
///
/// Cube c works on block c % blocks of the columns, on line c / blocks % lines where lines are cut too, and on the rows from
/// c / blocks / lines * rows_per_cube on.
struct Grid {
    std::int64_t block = 1;  ///< columns
    std::int64_t blocks = 1;
    std::int64_t rows_per_cube = 1;
    std::int64_t parts = 1;  ///< of the rows; where columns are reduced more than once, each for one of these results
    std::int64_t cubes = 0;
    bool lines_in_cubes = false;  ///< whether a cube works on one line; else on all of a row
    bool combines = false;        ///< whether several cubes make parts of one result
};

Grid make_grid(const Space& space, const Walk& walk);

}  // namespace burn::compiler
