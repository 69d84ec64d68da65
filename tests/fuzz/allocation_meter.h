#pragma once

#include <cstddef>

namespace burn::fuzz {

/// What the program holds through operator new, tensors included.
struct AllocationMeter {
    static std::size_t live();
    /// The most `live` has been since the last `reset_peak`.
    static std::size_t peak();
    static void reset_peak();
};

}  // namespace burn::fuzz
