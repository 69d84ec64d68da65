#pragma once

#include <burn/compiler/kernel_tensors.h>
#include <burn/compiler/rounding.h>
#include <burn/compiler/row_numbers.h>
#include <burn/compiler/shared_divisor.h>

#include <unordered_map>

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

    /// Begins the row at which the tensors stand; `first`, `last`: the columns of the cube.
    void begin_row(const kernel::Value& first, const kernel::Value& last);
    /// Everything that has one element a row and can be computed before this pass.
    void make_row_values(std::uint32_t pass);
    const kernel::Value& of_row(ValueId value) const { return of_row_.at(value); }
    void set_of_row(ValueId value, const kernel::Value& number) { of_row_.emplace(value, number); }

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
    using Numbers = std::unordered_map<ValueId, kernel::Value>;

    void declare_attribute(std::uint32_t op, std::uint8_t which, Schedule& schedule);

    /// What the operation makes of values in `made` and of those of the row; `at`: where, for operations that ask.
    kernel::Value compute(std::uint32_t op, const Numbers& made, const Columns* at = nullptr) const;
    kernel::Value operand(ValueId value, const Numbers& made) const;
    /// The element of the row that the index names; the first one where there is none.
    kernel::Value pick(std::uint32_t op, std::uint32_t pass);
    /// The operand, with a value at the element that the row's index names.
    kernel::Value place(std::uint32_t op, const kernel::Value& operand, const kernel::Value& value,
                        const Columns& at) const;

    /// Whether this pass fills the array of a kept value.
    bool fills(std::uint32_t pass, ValueId value) const;

    bool divides_by_row(const SegmentOp& op) const;

    const Outline& outline_;
    const RowWalk& walk_;
    const KernelTensors& tensors_;
    const Rounding& rounding_;
    RowNumbers numbers_;
    std::unordered_map<std::uint32_t, kernel::Value> attributes_;  ///< by operation and which, two an operation
    Numbers of_row_;
    std::unordered_map<ValueId, SharedDivisor> divisors_;
    std::unordered_map<ValueId, kernel::Place> kept_;
};

}  // namespace burn::compiler
