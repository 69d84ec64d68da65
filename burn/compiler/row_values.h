#pragma once

#include <burn/compiler/kernel_tensors.h>
#include <burn/compiler/rounding.h>
#include <burn/compiler/row_numbers.h>
#include <burn/compiler/shared_divisor.h>

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace burn::compiler {

/// The elements of a row that a vector of columns lies over, in one pass, with what was made of them.
struct RowElements {
    Columns at;
    kernel::Value in_row;  ///< where they are in the row
    std::uint32_t pass = 0;
    std::unordered_map<ValueId, kernel::Value> made{};
};

/// The values of a group in its kernel under construction: those of a row's elements, and those that the whole row shares.
///
/// A value is loaded, computed from its operands, or loaded from the array in which an earlier pass kept it.
class RowValues {
public:
    RowValues(const Outline& outline, const RowWalk& walk, const KernelTensors& tensors, const Rounding& rounding)
        : outline_(outline), walk_(walk), tensors_(tensors), rounding_(rounding), numbers_(outline, walk) {}

    /// The run-time attributes of the group's operations.
    void declare_attributes(Schedule& schedule);

    /// Begins row number `row`, at which the tensors stand; `first`, `last`: the columns of the cube.
    void begin_row(const kernel::Value& row, const kernel::Value& first, const kernel::Value& last);
    /// Everything that has one element a row and can be computed before this pass.
    void make_row_values(std::uint32_t pass);
    const kernel::Value& of_row(ValueId value) const { return row_.numbers.at(value); }
    void set_of_row(ValueId value, const kernel::Value& number) { row_.numbers.emplace(value, number); }

    using Numbers = std::unordered_map<ValueId, kernel::Value>;
    /// What is known of a row while it is worked on.
    struct Row {
        Numbers numbers;
        std::unordered_map<ValueId, SharedDivisor> divisors;
        std::optional<kernel::Value>
            array_begin;  ///< in arrays of values kept by the first pass, where that runs ahead
    };
    const Row& row() const { return row_; }
    void resume(Row row) { row_ = std::move(row); }

    /// What the first passes over the row found and what was made of that, in variables: they hand it on to the other passes.
    using FoundNumbers = std::map<ValueId, kernel::Variable>;
    /// Of all passes before this one.
    FoundNumbers found_before(std::uint32_t pass) const;
    void set(const FoundNumbers& variables) const;
    void take(const FoundNumbers& variables);

    /// What the elements of the row are divided by, as soon as it is known. While a short row is divided the processor already
    /// works on the next one, and has no use for more arithmetic.
    void prepare_divisors();
    /// A value at these elements; numbers of the whole row stay single.
    kernel::Value at(ValueId value, RowElements& elements);

    /// Makes room for what this pass keeps; then keeps it of these elements.
    void begin_keeping(std::uint32_t pass);
    void keep(RowElements& elements);

    /// The row's index, and whether it lies beyond the row.
    struct Index {
        kernel::Value column, beyond;
    };
    Index index_of(std::uint32_t op) const;

private:
    void declare_attribute(std::uint32_t op, std::uint8_t which, Schedule& schedule);

    /// What the operation makes of values in `made` and of those of the row; `at`: where, for operations that ask.
    kernel::Value compute(std::uint32_t op, const Numbers& made, const Columns* at = nullptr) const;
    kernel::Value operand(ValueId value, const Numbers& made) const;
    /// The element of the row that the index names; the first one where there is none.
    kernel::Value pick(std::uint32_t op, std::uint32_t pass);
    /// The operand, with a value at the element that the row's index names.
    kernel::Value place(std::uint32_t op, const kernel::Value& operand, const kernel::Value& value,
                        const Columns& at) const;

    /// A value that a pass keeps for later ones: of several rows at a time, by turns, where that pass runs ahead. (Where
    /// passes are joined each column is loaded for one row before it is stored for the other.)
    struct Kept {
        kernel::Place array;
        std::uint32_t pass = 0;
    };
    std::int64_t rows_kept(std::uint32_t pass) const;
    std::int64_t array_length() const { return array_size(outline_.row_length(), walk_.lanes); }
    /// Where these elements are in its array.
    kernel::Value in_array(const Kept& kept, const RowElements& elements) const;

    bool divides_by_row(const SegmentOp& op) const;

    const Outline& outline_;
    const RowWalk& walk_;
    const KernelTensors& tensors_;
    const Rounding& rounding_;
    RowNumbers numbers_;
    std::unordered_map<std::uint32_t, kernel::Value> attributes_;  ///< by operation and which, two an operation
    Row row_;
    std::unordered_map<ValueId, Kept> kept_;
};

}  // namespace burn::compiler
