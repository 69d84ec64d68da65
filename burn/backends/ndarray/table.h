#pragma once

#include <burn/backends/ndarray/args.h>
#include <burn/backends/ndarray/pointwise/pointwise_loops.h>

#include <array>

namespace burn::ndarray {

/// What NdArray can run. Desktop builds link the full table (table.cpp); a firmware defines `kTable` itself with the
/// operations and types that it needs, and the linker leaves out the rest.
struct Table {
    /// By op code; null means: decompose, or UnsupportedError.
    std::array<ops::HandleList (*)(const void* attributes, Args& args), ops::kOpCount> run;
    /// By DType; null means that pointwise operations lack the type.
    std::array<const PointwiseLoops*, kDTypeCount> loops;
};

extern const Table kTable;

extern const PointwiseLoops kLoopsF64, kLoopsF32, kLoopsF16, kLoopsBF16, kLoopsI64, kLoopsI32, kLoopsI16, kLoopsI8,
    kLoopsU64, kLoopsU32, kLoopsU16, kLoopsU8, kLoopsBool;

}  // namespace burn::ndarray
