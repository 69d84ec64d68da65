#pragma once

#include <burn/kernel/builder.h>
#include <burn/ops/random.h>

#include <span>
#include <vector>

namespace burn::compiler {

/// Whether kernels draw these numbers themselves: one word an element, and no more than a few operations on it.
bool draws_in_kernels(const ops::Random& op);

/// The numbers that a kernel takes for drawing, with their types: key and counter of the stream, then those of the law.
std::vector<DType> random_parameters(const ops::Random& op);
/// Number `which` of them, as kernel::element_bits.
std::uint64_t random_parameter(const ops::Random& op, std::size_t which);

/// Fills `words` with the blocks of the stream (burn/ops/random.h) from `first` on, four words each, in vectors of `lanes` blocks.
///
/// Memory    `words` has room for a vector of blocks more
void draw_words(kernel::Builder& k, const kernel::Place& words, std::span<const kernel::Value> parameters,
                const kernel::Value& first, const kernel::Value& blocks, std::uint16_t lanes);

/// Elements of the law from their words; half types in f32, rounded to their type.
kernel::Value random_elements(kernel::Builder& k, const ops::Random& op, std::span<const kernel::Value> parameters,
                              const kernel::Value& words);

}  // namespace burn::compiler
