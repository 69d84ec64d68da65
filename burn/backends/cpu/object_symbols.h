// The names in compiled kernels: what they define, and what they call.
#pragma once

#include <burn/kernel/kernel.h>

namespace burn::cpu {

/// The kernel's function, which every object defines.
constexpr const char* kKernelSymbol = "burn_kernel";

/// `std::byte* burn_workspace(std::int64_t bytes)`: memory of the calling thread, aligned for any vector, until the next call; a
/// multiple of 64 bytes.
constexpr const char* kWorkspaceFunction = "burn_workspace";

/// The name of the C library's function for a node of one or two Float operands, over the lanes of vectors in memory:
/// `void (T* values, [const T* others,] std::int64_t lanes)`. nullptr where there is none.
const char* lane_function(kernel::NodeKind kind, bool is_f64);

/// The address of a function that compiled kernels call by this name; nullptr where there is none.
const void* find_function(const char* name);

}  // namespace burn::cpu
