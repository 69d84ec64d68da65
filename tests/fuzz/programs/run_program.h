#pragma once

#include "tests/fuzz/programs/oracle.h"
#include "tests/fuzz/programs/program.h"

#include <burn/core/tensor_data.h>
#include <burn/ops/engine.h>

#include <memory>
#include <optional>
#include <string>

namespace burn::fuzz {

/// What a program gave on an engine.
struct Outcome {
    std::vector<std::optional<TensorData>> reads;  ///< by line
    std::vector<std::string> errors;               ///< by line; empty where all went well
};

/// Runs a program. Each of its threads does its lines in their order, and waits where a line uses a tensor of an earlier
/// line of another thread. What depends on a line that failed is left out.
Outcome run(const Program& program, ops::Engine& engine);

/// The oracle that has seen a whole program.
///
/// Errors    those of its operations: the program makes no sense
std::unique_ptr<Oracle> consult(const Program& program);

/// What is wrong with an outcome; "" when nothing is.
std::string fault(const Program& program, const Outcome& outcome, Oracle& oracle);

}  // namespace burn::fuzz
