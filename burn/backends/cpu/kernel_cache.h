#pragma once

#include <burn/backends/cpu/code_generator.h>
#include <burn/backends/cpu/object_store.h>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace burn::cpu {

/// Where kernels came from since a cache was made.
struct KernelCacheCounters {
    std::uint64_t compiled = 0;
    std::uint64_t loaded = 0;     ///< from disk
    std::uint64_t in_memory = 0;  ///< found there by a later call
    double compile_milliseconds = 0;
};

/// Compiled kernels: in memory, then on disk, else compiled and put into both.
///
/// Kernels are the same when everything but their names is.
///
/// Thread    any; a kernel that several threads ask for is compiled once, different ones at the same time
class KernelCache {
public:
    /// With objects kept in `folder`; an empty text keeps none.
    explicit KernelCache(std::string folder) : store_(std::move(folder)) {}
    KernelCache(const KernelCache&) = delete;
    KernelCache& operator=(const KernelCache&) = delete;

    /// The function of a verified kernel.
    ///
    /// Errors    UnsupportedError with what the code generator says when it fails
    KernelFunction function(CodeGenerator& generator, const kernel::Kernel& kernel);

    KernelCacheCounters counters() const;

private:
    struct Entry {
        Entry(CodeGenerator& generator, const kernel::Kernel& kernel) : generator(&generator), kernel(kernel) {}
        CodeGenerator* generator;
        kernel::Kernel kernel;
        std::mutex mutex;
        KernelFunction function = nullptr;
    };

    Entry& entry(CodeGenerator& generator, const kernel::Kernel& kernel);
    KernelFunction make(Entry& entry);

    ObjectStore store_;
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::vector<std::unique_ptr<Entry>>> entries_;
    KernelCacheCounters counters_;
};

/// The cache of the program; its folder is `default_kernel_folder()` as it is at the first call.
KernelCache& kernel_cache();

/// The function of a verified kernel, by `code_generator()` and `kernel_cache()`.
///
/// Errors    UnsupportedError that says why when there is no code generator; those of KernelCache::function
KernelFunction compiled(const kernel::Kernel& kernel);

}  // namespace burn::cpu
