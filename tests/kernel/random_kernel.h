#pragma once

#include <burn/kernel/kernel.h>

#include <cstdint>

namespace burn::kernel {

/// A kernel that `verify` takes, drawn from node.def: any kinds, types, immediates and nesting; the same for the same seed.
///
/// Nodes and blocks are numbered in the order of the text form. It is not meant to be run: indices and divisors are
/// whatever they are, loops may not end.
Kernel random_kernel(std::uint64_t seed, std::size_t nodes);

}  // namespace burn::kernel
