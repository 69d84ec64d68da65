#pragma once

#include <burn/ops/engine.h>

namespace burn {

/// The portable backend: runs every operation at once on the processor the program runs on.
///
/// Needs     nothing; also compiles for bare metal and WebAssembly
struct NdArray {
    static constexpr const char* kName = "ndarray";

    /// The number of devices: one, the processor.
    static std::size_t device_count() { return 1; }
    /// The engine of a device.
    static ops::Engine& engine(std::size_t device);
};

}  // namespace burn
