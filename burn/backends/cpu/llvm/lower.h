#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// Writes a verified kernel as a function (KernelFunction, called kKernelSymbol) into an empty module.
///
/// A kernel of one unit is what its cubes do, one after the other. With several units, see units.h.
///
/// Errors    UnsupportedError when its arrays need more memory than a thread has
void lower(const kernel::Kernel& kernel, Ir& ir);

}  // namespace burn::cpu::codegen
