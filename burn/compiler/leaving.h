#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/columns.h>
#include <burn/compiler/grid.h>
#include <burn/compiler/group.h>
#include <burn/compiler/reduction.h>
#include <burn/compiler/schedule.h>

#include <optional>
#include <vector>

namespace burn::compiler {

/// Whether a reduction whose result leaves its group reduces columns; else it reduces everything.
bool keeps_columns(const Segment& segment, std::uint32_t op);

/// The reductions whose results leave a group, in its kernel under construction.
///
/// A cube begins sums, feeds them with the elements of its rows, and ends them: it writes the results, or parts of them for
/// the kernel that combines these. Sums of columns are an array, or registers where these are few.
class LeavingSums {
public:
    struct Sum {
        std::uint32_t op = 0;
        ReduceRule rule;
        DType dtype = DType::F32;
        ValueId operand = 0;
        bool over_rows = false;  ///< the operand has one element a row
        bool columns = false;    ///< columns are reduced, not everything

        std::vector<kernel::Variable> registers;  ///< one for each copy of the loop or vector of columns; one over rows
        std::optional<kernel::Place> array;       ///< in place of them
        std::optional<kernel::Value> width;       ///< elements of one of its results or parts, where it makes several
        std::optional<kernel::Value> divisor;     ///< of a mean that is whole
    };

    LeavingSums(const RowWalk& walk, const Segment& segment, const Group& group, const Grid& grid)
        : walk_(walk), segment_(segment), group_(group), grid_(grid) {}

    /// Makes the sums, with scalars from `size`; where they are made in parts, notes in the schedule how these are combined.
    void declare(FunctionRef<kernel::Value(std::int64_t)> size, const std::vector<bool>& one_per_row,
                 Schedule& schedule);
    const std::vector<Sum>& sums() const { return sums_; }

    /// `first`, `last`: the columns of the cube, of which there are `count` at most.
    void begin(const kernel::Value& first, const kernel::Value& last, std::int64_t count);
    /// Takes along a vector of the operand; or its element of a row, where it has one.
    void feed(const Sum& sum, const kernel::Value& value, const Columns& at, const kernel::Value& in_row) const;
    void feed_row(const Sum& sum, const kernel::Value& value) const;
    /// Writes what cube `cube` has summed into `places`, those of `sums` in order; it works on this part of the rows and on
    /// this line.
    void end(std::span<const kernel::Place> places, const kernel::Value& cube, const kernel::Value& part,
             const kernel::Value& line) const;

private:
    /// How many columns the sums cover.
    kernel::Value covered() const;

    const RowWalk& walk_;
    const Segment& segment_;
    const Group& group_;
    const Grid& grid_;
    std::vector<Sum> sums_;
    std::optional<kernel::Value> first_, last_;
};

}  // namespace burn::compiler
