#pragma once

#include <burn/kernel/kernel.h>

#include <span>

namespace burn::kernel {

/// The value of a Pure node, a Constant or an Iota from the values of its operands: the meaning of these nodes.
///
/// A value is an element's bits in each lane, as `bits_of` gives them. `operands` has one pointer to lanes an operand;
/// `result` has room for the node's lanes.
///
/// Numerics  that of Num (burn/ops/num.h), Float functions by the C library; f16 and bf16 are computed in f32 and rounded
/// Errors    ArgumentError naming kernel and node when a shift's amount is outside its width
void evaluate(const Kernel& kernel, NodeId id, std::span<const std::uint64_t* const> operands, std::uint64_t* result);

/// a and b combined, as elements of `dtype`.
std::uint64_t combine_bits(DType dtype, Reduction reduction, std::uint64_t a, std::uint64_t b);

/// All `count` values combined as ReduceLanes does; they are overwritten.
///
///   while n > 1:  h = ceil(n / 2);  x[i] = x[i] . x[i + h] for i < n - h;  n = h
std::uint64_t fold_bits(DType dtype, Reduction reduction, std::uint64_t* values, std::size_t count);

}  // namespace burn::kernel
