#pragma once

#include <burn/compiler/fusable.h>
#include <burn/compiler/group.h>
#include <burn/compiler/readings.h>

#include <vector>

namespace burn::compiler {

/// What the operations of a segment read when they run in groups, and which of them have to run.
///
/// A number that is the same for all elements is no operand: whoever needs it makes it for itself.
class GroupOperands {
public:
    explicit GroupOperands(const Segment& segment);

    Role role(std::uint32_t op) const { return roles_[op].role; }
    /// Why the backend runs the operation, where it is not fusable.
    Reason why_not_fusable(std::uint32_t op) const { return roles_[op].reason; }
    bool is_fusable(std::uint32_t op) const { return role(op) != Role::Opaque && role(op) != Role::View; }
    bool draws(std::uint32_t op) const { return segment_.ops[op].op.code() == ops::OpCode::Random; }
    /// Whether somebody needs a result of the operation.
    bool is_needed(std::uint32_t op) const { return needed_[op]; }

    const std::vector<Reading>& of(std::uint32_t op) const { return readings_.by_op[op]; }
    /// By value: see Readings.
    const std::vector<ValueId>& first() const { return readings_.first; }
    /// The operation that makes a value of the segment.
    std::uint32_t maker(ValueId value) const { return maker_[value]; }

    /// Whether this is one number that whoever needs it makes for itself.
    bool is_constant(ValueId value) const { return maker_[value] != kNoMaker && constants_[maker_[value]] > 0; }
    /// Notes that a group makes a number for itself, after those that it is made of.
    void add_constant(ValueId value, Group& group, Segment& grouped) const;

    /// Whether this casts to a wider type what is there before its kernel runs, for one reader: done again for every row that
    /// reads it, it costs no more than to load the wider number.
    bool widens_for_one(std::uint32_t op) const { return widens_for_one_[op]; }
    /// An operation reads a value under another shape.
    void set_shape(std::uint32_t op, std::size_t operand, const Shape& shape) {
        readings_.by_op[op][operand].shape = shape;
    }

    /// Calls `body` with every value that must be there before the operation runs.
    template <class Body>
    void for_needs(std::uint32_t op, Body body) const {
        if (!is_fusable(op)) {
            for (const ValueId input : segment_.ops[op].inputs) body(input);
            return;
        }
        for (const Reading& reading : of(op)) {
            if (!is_constant(reading.value)) body(reading.value);
        }
    }

    /// The operation is computed in space `to`, no longer in `from`.
    void recast_operands(std::uint32_t op, const Shape& from, const Shape& to);

private:
    static constexpr std::uint32_t kNoMaker = ~0u;

    void keep_whole_operand(std::uint32_t op);
    std::size_t count_constant(std::uint32_t op) const;
    void find_needed();
    void find_widened();

    const Segment& segment_;
    Readings readings_;
    std::vector<RoleFound> roles_;        ///< by operation
    std::vector<std::size_t> constants_;  ///< by operation: see count_constant
    std::vector<bool> needed_;            ///< by operation
    std::vector<bool> widens_for_one_;    ///< by operation
    std::vector<std::uint32_t> maker_;    ///< by value
};

}  // namespace burn::compiler
