#pragma once

#include <burn/backends/cpu/code_generator.h>

#include <mutex>
#include <unordered_map>

namespace burn::cpu {

/// Loads objects of the kind that kernels are compiled into: code, constants, and calls of what object_symbols.h names.
///
/// LLVM loads them too, but takes long to start. What is not as plain as this, or is for another processor than x86-64, is
/// refused, and left to it.
///
/// Memory    for each object a mapping of whole pages, which is written before it may run and never after
/// Thread    any
/// Source    System V ABI, AMD64 supplement, chapter 4, object files
class ObjectLoader {
public:
    ObjectLoader() = default;
    ObjectLoader(const ObjectLoader&) = delete;
    ObjectLoader& operator=(const ObjectLoader&) = delete;

    /// The kernel's function in `object`, which stays until it is unloaded; nullptr where the object is refused.
    KernelFunction load(std::span<const std::byte> object);
    /// Frees the memory of a function that nothing runs any more; false where `load` did not give it.
    bool unload(KernelFunction function);

    /// Whether objects for this processor may be loaded here at all.
    static bool knows_processor();

private:
    std::mutex mutex_;
    std::unordered_map<KernelFunction, std::span<std::byte>> images_;
};

}  // namespace burn::cpu
