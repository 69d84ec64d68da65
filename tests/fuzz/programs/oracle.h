#pragma once

#include "tests/fuzz/programs/program.h"
#include "tests/fuzz/programs/shadow.h"

#include <burn/core/tensor_data.h>

#include <string>
#include <vector>

namespace burn::fuzz {

/// How well the value of a tensor is known.
enum class Certainty : std::uint8_t {
    Bits,     ///< the same bits on every backend
    Near,     ///< within what rounding explains
    Unknown,  ///< roundings decide over it: a comparison of nearly equal numbers, a difference that is all noise
    Failed,   ///< an error takes its place: an index out of range, here or in what it depends on
};

/// What must come out for one tensor of a program.
struct Known {
    ops::Handle exact;   ///< the result of the reference backend, one operation at a time
    ops::Handle shadow;  ///< empty until somebody needs it, where the bits are known
    Certainty certainty = Certainty::Bits;
    double lowest = 0, highest = 0;  ///< of its numbers; not of NaN
    double least = 0;                ///< smallest magnitude
    bool finite = true;
    bool spared =
        false;  ///< of what failed: a backend may have it all the same, for it can be made without the error's operand

    double magnitude() const { return std::max(-lowest, highest); }
};

/// Runs a program step by step on the reference backend and tells what other backends must give.
///
/// Thread    one at a time
class Oracle {
public:
    Oracle();

    /// Errors    those of the operation; then nothing has changed
    void step(const Line& line);
    const Known& at(ValueId value) const { return known_[value]; }
    bool has(ValueId value) const { return value < known_.size() && known_[value].exact; }

    /// Says how `got` is wrong; "" when it is right, or nothing is known.
    std::string difference(ValueId value, const TensorData& got);

private:
    void apply(const Line& line);
    /// Errors in place of the results, when an operand has one or the operation meets one.
    bool fails(const Line& line, const SpecList& results, ops::HandleList& made);
    const ops::Handle& shadow(ValueId value);
    void put(ValueId value, Known known);
    bool keeps_bits(const Line& line, const ops::HandleList& results) const;
    /// Whether an extremum may be 0 or -0: which of two equal numbers is taken is not specified.
    bool chooses_a_zero(const Line& line) const;
    /// Whether values that are known only nearly are asked to be equal: halves may round to the other's bits or next to them.
    bool tells_equality(const Line& line) const;
    /// Whether something is divided by an element that roundings may make 0; where both hang together, as in x / x, their shadows
    /// do not show it.
    bool divides_by_nothing(const Line& line);
    /// Whether an element is as near to 0 as roundings are large.
    bool may_vanish(ValueId value);
    bool sums_exactly(const Line& line) const;
    bool names_no_place_twice(const Line& line) const;
    /// Whether the order of the factors decides what overflows, or what vanishes before it meets an overflow.
    bool overflows_inside(const Line& line, const TensorSpec& result) const;
    Certainty judge(const TensorSpec& spec, const ops::Handle& exact, const ops::Handle& shadow);

    ops::Engine& reference_;
    ShadowEngine shadows_;
    std::vector<Known> known_;
};

}  // namespace burn::fuzz
