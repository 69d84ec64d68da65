#pragma once

#include <burn/core/scalar.h>
#include <burn/core/tensor_spec.h>

namespace burn::ops {

/// Makes axes non-negative and sorts them.
///
/// Errors    IndexError when one is out of range or named twice; `op` names the operation
void normalize_axes(Dims& axes, std::size_t rank, const char* op);

/// `shape` with size 1 on every axis of `axes`.
Shape reduced_shape(const Shape& shape, const Dims& axes);

/// Errors    DTypeError naming the operation, the dtype and what was expected
void require_float(const TensorSpec& input, const char* op);
void require_int(const TensorSpec& input, const char* op);
void require_numeric(const TensorSpec& input, const char* op);
void require_bool(const TensorSpec& input, const char* op);
/// Checks that `scalar` can be an element: any number in Float types, a whole one in Bool, one of the type's own in Int types.
///
/// Errors    DTypeError naming the operation, the dtype and the number
void require_scalar_fits(Scalar scalar, DType dtype, const char* op);
/// Errors    DTypeError when the operands' dtypes differ
void require_same_dtype(const TensorSpec& lhs, const TensorSpec& rhs, const char* op);
/// Errors    ShapeError when the operands' shapes differ
void require_same_shape(const TensorSpec& lhs, const TensorSpec& rhs, const char* op);
/// Errors    ShapeError when the operand has another rank
void require_rank(const TensorSpec& input, std::size_t rank, const char* op, const char* operand);
/// The largest number of a window's options: low enough that no place of a window overflows, above any sensible one.
inline constexpr std::int64_t kLargestWindowOption = (std::int64_t{1} << 31) - 1;
/// Gives a window's option with a number for each axis its default when it is empty.
///
/// Errors    ArgumentError when it has another number of numbers than `fallback`, one below `lowest`, or one above
///           kLargestWindowOption
void complete_option(Dims& option, const char* name, const Dims& fallback, std::int64_t lowest, const char* op);

}  // namespace burn::ops
