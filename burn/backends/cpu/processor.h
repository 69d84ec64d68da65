#pragma once

#include <string>

namespace burn::cpu {

/// What the processor calls itself, "AMD EPYC 9354 32-Core Processor"; where that is unknown, its architecture.
const std::string& processor_name();

/// Everything by which a compiler could tell this processor from another, as bytes; empty where that is not known.
std::string processor_identity();

}  // namespace burn::cpu
