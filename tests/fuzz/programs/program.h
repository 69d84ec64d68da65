#pragma once

#include <burn/core/tensor_spec.h>
#include <burn/ops/any_op.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Programs of tensor operations as plain values with a text form, so that they can be drawn, run, cut down and stored.

namespace burn::fuzz {

/// Number of a tensor in a program: %7 in text.
using ValueId = std::uint32_t;

/// What the elements of an input are.
enum class Fill : std::uint8_t {
    Eighths,   ///< multiples of 1/8 in [-4, 4]; small whole numbers for integers; a coin for Bool
    Reals,     ///< [-2, 2) with all digits; any bits for integers
    Positive,  ///< [1/4, 4); 1 .. 9 for integers
    Unit,      ///< [-7/8, 7/8)
    AboveOne,  ///< [9/8, 5)
    Special,   ///< some elements NaN, infinite, -0; the extremes for integers
    Indices,   ///< whole numbers in [0, bound)
    Distinct,  ///< the same, none of them twice along the last axis as long as there are enough
};

/// Where an input's elements come from: a pure function of these.
struct Source {
    TensorSpec spec;
    Fill fill = Fill::Eighths;
    std::int64_t bound = 1;  ///< of Indices and Distinct
    std::uint64_t seed = 0;
};

struct Operand {
    ValueId value = 0;
    bool given_away = false;  ///< the program drops its handle by this use: %7~ in text
};

/// One step of a program.
struct Line {
    enum class Kind : std::uint8_t { Input, Apply, Read, Drop };

    Kind kind = Kind::Input;
    int thread = 0;                 ///< who does it
    Source source;                  ///< of Input
    std::optional<ops::AnyOp> op;   ///< of Apply
    std::vector<Operand> operands;  ///< of Apply; the one value of Read and Drop
    std::vector<ValueId> results;   ///< of Input and Apply

    bool uses(ValueId value) const;
};

struct Program {
    std::vector<Line> lines;

    ValueId value_count() const;
    int thread_count() const;
};

/// One line of text a step:
///
///   %0 = input f32 [3, 5] eighths 17
///   %1 = permute(axes=[1, 0]) %0
///   @1 %2 = mul_scalar(s=0.5) %1~           on thread 1; %1 is given away
///   read %2
///   drop %2
std::string print(const Program& program);
std::string print(const Line& line);

/// Errors    ParseError naming the line
Program parse(std::string_view text);

/// An operation of the library with its attributes at their defaults.
ops::AnyOp blank_op(ops::OpCode code);
/// By name; Custom when there is none.
ops::OpCode find_op(std::string_view name);
const char* name_of(ops::OpCode code);

}  // namespace burn::fuzz
