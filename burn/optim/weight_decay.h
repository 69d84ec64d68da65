#pragma once

#include <burn/ops/handle.h>

#include <optional>

namespace burn::optim {

/// gradient + penalty * param; the gradient as it is without a penalty.
ops::Handle add_weight_decay(ops::Handle gradient, const ops::Handle& param, const std::optional<double>& penalty);

/// Errors    ArgumentError unless `value` is in [0, 1); `optimizer` and `name` name it
void require_fraction(const char* optimizer, const char* name, double value);
/// Errors    ArgumentError unless `value` is a finite number of at least 0
void require_not_negative(const char* optimizer, const char* name, double value);

}  // namespace burn::optim
