#pragma once

#include <burn/backends/cpu/code_generator.h>

#include <llvm-c/LLJIT.h>

#include <mutex>
#include <unordered_map>
#include <vector>

namespace burn::cpu::codegen {

/// Loads objects into the running program. What they call is found in object_symbols.h, nowhere else.
///
/// Thread    `load` and `unload` may be called from several threads
class Jit {
public:
    /// Errors    InternalError with LLVM's message
    Jit();
    Jit(const Jit&) = delete;
    Jit& operator=(const Jit&) = delete;

    /// The kernel's function in `object`, which stays until it is unloaded.
    ///
    /// Errors    InternalError with LLVM's message
    KernelFunction load(std::span<const std::byte> object);
    /// Frees the memory of a function that `load` gave.
    ///
    /// Errors    InternalError with LLVM's message
    void unload(KernelFunction function);

private:
    LLVMOrcJITDylibRef take_library();
    void empty(LLVMOrcJITDylibRef library);
    KernelFunction link(LLVMOrcJITDylibRef library, std::span<const std::byte> object);

    LLVMOrcLLJITRef jit_ = nullptr;
    std::mutex mutex_;
    std::size_t made_ = 0;  ///< libraries: as many as there were objects at one time, for they are used again
    std::vector<LLVMOrcJITDylibRef> empty_;
    std::unordered_map<KernelFunction, LLVMOrcJITDylibRef> full_;  ///< by the function in it
};

}  // namespace burn::cpu::codegen
