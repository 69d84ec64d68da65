#pragma once

#include <burn/core/scalar.h>
#include <burn/ops/any_op.h>

namespace burn::ops {

/// Which element types a pointwise operation takes.
enum class Types : std::uint8_t {
    Float,
    Int,
    Bool,
    Numeric,  ///< Float or Int
    Any,
    MaskAny,  ///< the first operand is Bool, the others are of any one type
};

/// Whether operands of this type are among them; for MaskAny, those behind the mask.
bool accepts(Types types, DType dtype);

/// Where tests draw the operands of a pointwise operation from.
enum class Domain : std::uint8_t { Any, Positive, Unit, AboveOne, AboveMinusOne, NonZero, Exponent, Shift };

/// One line of the table pointwise.def, as data.
struct PointwiseInfo {
    OpInfo op;
    OpCode code;
    int operands;
    int scalars;
    Types types;
    bool bool_result;  ///< the result is Bool; else it has the type of the last operand
    Domain domain;
};

/// The attributes of every pointwise operation: its scalars, of the type of the tensor.
struct PointwiseAttributes {
    Scalar s;
    Scalar t;
};

/// The operation of one line of the table.
template <OpCode Code>
struct PointwiseOp : PointwiseAttributes {
    static constexpr OpCode kCode = Code;
    static void fields(auto& self, FieldVisitor& visit);
};

/// How many lines the table has; their codes come first.
constexpr std::size_t kPointwiseCount = 0
#define POINTWISE(NAME, ...) +1
#include <burn/ops/pointwise.def>
#undef POINTWISE
    ;

/// Whether the operation is a line of the table.
constexpr bool is_pointwise(OpCode code) { return static_cast<std::size_t>(code) < kPointwiseCount; }

/// The line of the table for `code`, which must be pointwise.
const PointwiseInfo& pointwise_info(OpCode code);

}  // namespace burn::ops
