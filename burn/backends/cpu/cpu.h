#pragma once

#include <burn/decorators/fusion/fusion.h>
#include <burn/ops/engine.h>

namespace burn {

/// The processor the program runs on, one operation at a time: what `Cpu` fuses.
///
/// Runs NdArray's kernels for single operations; has a device that compiles fused ones with LLVM.
struct CpuEager {
    static constexpr const char* kName = "cpu_eager";

    static std::size_t device_count() { return 1; }
    static ops::Engine& engine(std::size_t device);
    static compiler::Device& compiler_device(std::size_t device);
};

/// The processor the program runs on, with kernels compiled at run time from whatever the program does.
///
/// Needs     LLVM, in a plug-in; without it (see `cpu::why_no_code_generator`) operations run one by one
struct Cpu : Fusion<CpuEager> {
    static constexpr const char* kName = "cpu";
};

}  // namespace burn
