#pragma once

#include <burn/kernel/builder.h>
#include <burn/ops/random.h>

#include <span>
#include <vector>

namespace burn::compiler {

/// Whether kernels draw these numbers themselves: Bernoulli, and uniform Float. Normal ones are faster from the backend, whose
/// vectors hold the pairs of words that two of them share.
bool draws_in_kernels(const ops::Random& op);

/// The numbers that a kernel takes for drawing, with their types: key and counter of the stream, then those of the law.
std::vector<DType> random_parameters(const ops::Random& op);
/// Number `which` of them, as kernel::element_bits.
std::uint64_t random_parameter(const ops::Random& op, std::size_t which);

/// What is drawn for an element before its use: its word, or its two words as one.
DType drawn_dtype(const ops::Random& op);
/// For how many elements a block of the stream (burn/ops/random.h) has the words.
std::int64_t elements_of_block(const ops::Random& op);

/// Vectors of blocks that are drawn side by side: one of them alone waits for its own products most of the time.
constexpr std::uint16_t kDrawnVectors = 2;

/// Fills `drawn` with what the blocks of the stream from `first` on give, in vectors of `lanes` blocks.
///
/// Memory    `drawn` has room for kDrawnVectors vectors of blocks more
void draw(kernel::Builder& k, const ops::Random& op, const kernel::Place& drawn,
          std::span<const kernel::Value> parameters, const kernel::Value& first, const kernel::Value& blocks,
          std::uint16_t lanes);

/// Elements of the law from what was drawn; half types in f32, rounded to their type.
///
/// Numerics  those of NdArray, bit for bit
kernel::Value random_elements(kernel::Builder& k, const ops::Random& op, std::span<const kernel::Value> parameters,
                              const kernel::Value& drawn);

}  // namespace burn::compiler
