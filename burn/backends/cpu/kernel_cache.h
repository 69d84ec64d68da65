#pragma once

#include <burn/backends/cpu/executable.h>
#include <burn/backends/cpu/object_store.h>

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace burn::cpu {

/// Where kernels came from since a cache was made.
struct KernelCacheCounters {
    std::uint64_t compiled = 0;
    std::uint64_t loaded = 0;     ///< from disk
    std::uint64_t in_memory = 0;  ///< found there by a later call
    std::uint64_t dropped = 0;
    std::size_t kept = 0;  ///< in memory at this moment
    double compile_milliseconds = 0;
};

/// Compiled kernels: in memory, then on disk, else compiled and put into both.
///
/// Kernels are the same when everything but their names is.
///
/// Memory    a kernel takes 5 KiB or more and up to one of the program's memory mappings, of which systems allow some 65,000. Of
///           more than `limit` kernels those go that were not asked for for longest and that nobody else holds
/// Thread    any; a kernel that several threads ask for is compiled once, different ones at the same time
class KernelCache {
public:
    static constexpr std::size_t kDefaultLimit = 4096;

    /// With objects kept in `folder`; an empty text keeps none.
    explicit KernelCache(std::string folder, std::size_t limit = kDefaultLimit)
        : store_(std::move(folder)), limit_(limit), drop_at_(limit) {}
    KernelCache(const KernelCache&) = delete;
    KernelCache& operator=(const KernelCache&) = delete;

    /// A verified kernel, ready to run.
    ///
    /// Errors    UnsupportedError with what the code generator says when it fails
    std::shared_ptr<const CpuExecutable> executable(CodeGenerator& generator, const kernel::Kernel& kernel);

    KernelCacheCounters counters() const;

private:
    struct Entry {
        Entry(CodeGenerator& generator, const kernel::Kernel& kernel, std::uint64_t hash)
            : generator(&generator), kernel(kernel), hash(hash) {}
        CodeGenerator* generator;
        kernel::Kernel kernel;
        std::uint64_t hash;
        std::mutex mutex;
        std::shared_ptr<const CpuExecutable> executable;  ///< null until it is compiled, which may fail
    };
    using Entries = std::list<std::shared_ptr<Entry>>;

    std::shared_ptr<Entry> entry(CodeGenerator& generator, const kernel::Kernel& kernel);
    std::shared_ptr<const CpuExecutable> make(const Entry& entry);
    Entries take_unused();

    ObjectStore store_;
    const std::size_t limit_;
    mutable std::mutex mutex_;
    Entries entries_;  ///< the most recently used first
    std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
    std::size_t drop_at_;  ///< more than `limit_` while others hold too many
    KernelCacheCounters counters_;
};

/// The cache of the program; its folder is `default_kernel_folder()` as it is at the first call.
KernelCache& kernel_cache();

/// A verified kernel, ready to run, by `code_generator()` and `kernel_cache()`.
///
/// Errors    UnsupportedError that says why when there is no code generator; those of KernelCache::executable
std::shared_ptr<const CpuExecutable> compiled(const kernel::Kernel& kernel);

}  // namespace burn::cpu
