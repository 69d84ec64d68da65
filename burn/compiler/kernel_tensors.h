#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/columns.h>
#include <burn/compiler/outline.h>

#include <optional>
#include <vector>

namespace burn::compiler {

/// The tensors of a group's kernel under construction, and where in them it stands: at a row, and at a line of that row.
///
/// They are numbered: the group's inputs, then its outputs. Elements come and go in the type that they are computed in.
class KernelTensors {
public:
    KernelTensors(const Outline& outline, const RowWalk& walk) : outline_(outline), walk_(walk) {}

    void declare_buffers();
    /// How the tensors lie, with scalars from `size`.
    void declare_strides(FunctionRef<kernel::Value(std::int64_t)> size);

    std::size_t output(std::size_t which) const { return outline_.group.names.size() + which; }
    std::size_t number_of(ValueId input) const;
    const std::vector<kernel::Place>& places() const { return places_; }
    /// Whether an input is repeated along the whole row.
    bool is_one_per_row(std::size_t input) const;

    // ---- moving

    void begin();
    /// To the line that is the cube's, where a cube works on one.
    void enter_cube(const kernel::Value& line);
    /// To the first line of a row.
    void enter_row(const kernel::Value& row);
    /// To a line of that row.
    void enter_line(const kernel::Value& line);
    void enter_first_line() { line_begins_ = row_begins_; }
    /// At the first line of which row it stands, for whoever walks two rows together.
    using Standing = std::vector<kernel::Value>;
    const Standing& standing() const { return row_begins_; }
    void stand(const Standing& row) { row_begins_ = line_begins_ = row; }

    /// The first element of the row, counted over the whole space; of groups that draw numbers.
    const kernel::Value& row_begin_in_space() const { return row_begins_.back(); }

    // ---- elements

    kernel::Value load(std::size_t input, const Columns& at) const;
    void store(std::size_t output, const Columns& at, const kernel::Value& value) const;
    /// Of a tensor with one element a row.
    kernel::Value load_one(std::size_t input) const;
    void store_one(std::size_t output, const kernel::Value& value) const;

    /// Asks for what lies at these columns of a tensor whose rows are lines, once for the vectors that share a cache line: so
    /// many rows after this one, and so many elements after that.
    void prefetch(std::size_t tensor, const Columns& at, std::int64_t rows_after, std::int64_t elements_after,
                  kernel::Access access) const;
    /// The same for all vectors that are walked together from these columns on, so many elements after them.
    void prefetch_together(std::size_t tensor, const Columns& at, std::int64_t elements_after,
                           kernel::Access access) const;

private:
    /// Moves every tensor's place to where these axes, taken as one, have this coordinate.
    void step_along(std::vector<kernel::Value>& begins, const kernel::Value& coordinate, std::size_t first_axis,
                    std::size_t end_axis) const;
    kernel::Value narrow(std::size_t output, const kernel::Value& value) const;

    const Outline& outline_;
    const RowWalk& walk_;
    std::vector<kernel::Place> places_;
    std::vector<std::optional<kernel::Value>> axis_sizes_;            ///< of those that are not the first of their kind
    std::vector<std::vector<std::optional<kernel::Value>>> strides_;  ///< none where known: 0, or 1 of the last axis
    /// By tensor: first elements of the cube's line, of a row, of a line of it.
    std::vector<kernel::Value> cube_begins_, row_begins_, line_begins_;
};

}  // namespace burn::compiler
