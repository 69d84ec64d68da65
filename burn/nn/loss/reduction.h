#pragma once

#include <burn/module/config.h>
#include <burn/ops/handle.h>

#include <cstdint>

namespace burn::nn::loss {

/// How the losses of single elements become one.
enum class Reduction : std::uint8_t {
    Mean,
    Sum,
    BatchMean,  ///< the sum divided by the size of the first axis
    Auto,       ///< what is usual for the loss: the mean
};
BURN_ENUM_NAMES(Reduction, Mean, Sum, BatchMean, Auto)

/// Shapes    losses any -> [1]
ops::Handle reduce(ops::Handle losses, Reduction reduction);

}  // namespace burn::nn::loss
