#pragma once

#include <burn/backends/cpu/llvm/ir.h>

namespace burn::cpu::codegen {

/// Puts the instructions of each block in the order in which their operands are there, as far as memory allows.
///
/// Lowering writes one value after the other with all that it depends on, vector after vector. A processor looks some hundred
/// instructions ahead, less than two or three vectors of a formula with exponentials take, and waits for their long chains of
/// operations. In this order the chains that do not depend on each other stand side by side.
void order_breadth_first(Ir& ir);

}  // namespace burn::cpu::codegen
