#pragma once

#include <burn/backends/cpu/code_generator.h>

#include <llvm-c/LLJIT.h>

#include <atomic>

namespace burn::cpu::codegen {

/// Loads objects into the running program. What they call is found in functions.h, nowhere else.
///
/// Thread    `load` may be called from several threads
class Jit {
public:
    /// Errors    InternalError with LLVM's message
    Jit();
    Jit(const Jit&) = delete;
    Jit& operator=(const Jit&) = delete;

    /// The kernel's function in `object`, which stays until the program ends.
    ///
    /// Errors    InternalError with LLVM's message
    KernelFunction load(std::span<const std::byte> object);

private:
    LLVMOrcLLJITRef jit_ = nullptr;
    std::atomic<unsigned> loaded_{0};
};

}  // namespace burn::cpu::codegen
