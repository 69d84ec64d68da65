#pragma once

#include "tests/fuzz/programs/oracle.h"
#include "tests/fuzz/programs/program.h"

#include <memory>

namespace burn::fuzz {

/// Draws the program of a seed. The same on every machine where the reference backend gives the same.
Program draw_program(std::uint64_t seed);

}  // namespace burn::fuzz
