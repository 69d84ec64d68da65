#pragma once

#include <string>

namespace burn::cpu {

/// What the processor calls itself, "AMD EPYC 9354 32-Core Processor"; where that is unknown, its architecture.
const std::string& processor_name();

}  // namespace burn::cpu
