#pragma once

#include <burn/compiler/columns.h>
#include <burn/compiler/outline.h>
#include <burn/compiler/schedule.h>

#include <map>
#include <optional>
#include <vector>

namespace burn::compiler {

/// The random numbers of a row, in a group's kernel under construction: drawn into arrays before the row is walked.
class RowNumbers {
public:
    RowNumbers(const Outline& outline, const RowWalk& walk) : outline_(outline), walk_(walk) {}

    /// An operation that draws; notes its parameters as attributes of the schedule.
    void declare(std::uint32_t op, Schedule& schedule);
    bool empty() const { return by_op_.empty(); }
    bool contains(std::uint32_t op) const { return by_op_.contains(op); }

    /// Draws for these columns of the row that begins at element `begin` of the space: from all blocks of the stream that they
    /// touch.
    void draw_row(const kernel::Value& begin, const kernel::Value& first, const kernel::Value& last);
    /// The operation's numbers for these columns; `in_row`: where these are in the row.
    kernel::Value at(std::uint32_t op, const Columns& at, const kernel::Value& in_row) const;

private:
    struct Numbers {
        std::vector<kernel::Value> parameters;
        std::optional<kernel::Place> drawn;  ///< for the row
        /// From the first drawn to the row's first element; below 0 inside a row.
        std::optional<kernel::Value> before;
    };

    const Outline& outline_;
    const RowWalk& walk_;
    std::map<std::uint32_t, Numbers> by_op_;
};

}  // namespace burn::compiler
