#pragma once

#include <burn/backends/cpu/code_generator.h>
#include <burn/compiler/device.h>

namespace burn::cpu {

/// A compiled kernel in the memory of the program; unloaded when nobody holds it any more.
struct CpuExecutable final : compiler::Executable {
    CpuExecutable(CodeGenerator& generator, KernelFunction function) : function(function), generator_(generator) {}
    CpuExecutable(const CpuExecutable&) = delete;
    CpuExecutable& operator=(const CpuExecutable&) = delete;
    ~CpuExecutable() { generator_.unload(function); }

    const KernelFunction function;

private:
    CodeGenerator& generator_;
};

}  // namespace burn::cpu
