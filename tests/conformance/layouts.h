#pragma once

#include <burn/core/tensor_data.h>
#include <burn/ops/engine.h>

#include <array>

namespace burn::conformance {

/// How the values of an operand lie in memory.
enum class Placement {
    Contiguous,  ///< row-major, from the start of their buffer
    Transposed,  ///< axes stored in reverse order and permuted back
    Sliced,      ///< cut out of a larger tensor, away from its edges
    Strided,     ///< every second element of every axis
    Broadcast,   ///< expanded where all slices of an axis are equal; else one entry of an expanded parent
    Reversed,    ///< stored back to front and flipped
};

inline constexpr std::array kPlacements = {Placement::Contiguous, Placement::Transposed, Placement::Sliced,
                                           Placement::Strided,    Placement::Broadcast,  Placement::Reversed};

const char* name_of(Placement placement);

/// A tensor with the values of `data`, lying as `placement` says, made with the engine's view operations.
///
/// What lies around the values in their buffer is NaN, or another number that would be noticed.
ops::Handle place(ops::Engine& engine, const TensorData& data, Placement placement);

/// The values of `data` in memory of their own, so that an engine may overwrite them.
TensorData own_copy(const TensorData& data);

}  // namespace burn::conformance
