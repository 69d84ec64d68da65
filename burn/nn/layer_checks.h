#pragma once

#include <cstdint>

namespace burn::nn {

/// Errors    ArgumentError unless `value` is at least `least`; `layer` and `what` name it
void require_at_least(const char* layer, const char* what, std::int64_t value, std::int64_t least);
/// Errors    ArgumentError unless `value` is in [0, 1]
void require_probability(const char* layer, const char* what, double value);

}  // namespace burn::nn
