#pragma once

#include "tests/fuzz/programs/program.h"

#include <burn/base/function_ref.h>

namespace burn::fuzz {

/// A program as short as could be found that still fails; `fails` is called for every attempt.
///
/// Threads, reads, moves and lines are left out, results are replaced by inputs, sizes become smaller.
Program shrink(Program program, FunctionRef<bool(const Program&)> fails);

}  // namespace burn::fuzz
