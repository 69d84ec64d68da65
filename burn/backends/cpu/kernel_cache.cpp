#include <burn/backends/cpu/kernel_cache.h>

#include <burn/backends/cpu/plugin.h>
#include <burn/base/error.h>
#include <burn/base/profile.h>

#include <chrono>

namespace burn::cpu {

namespace {

bool same(const kernel::Kernel& a, const kernel::Kernel& b) {
    return a.units == b.units && a.plane == b.plane && a.parameters == b.parameters && a.blocks == b.blocks &&
           a.nodes == b.nodes;
}

}  // namespace

KernelFunction KernelCache::function(CodeGenerator& generator, const kernel::Kernel& kernel) {
    Entry& found = entry(generator, kernel);
    const std::lock_guard lock(found.mutex);
    if (found.function == nullptr) {
        found.function = make(found);
    } else {
        const std::lock_guard count(mutex_);
        ++counters_.in_memory;
    }
    return found.function;
}

KernelCacheCounters KernelCache::counters() const {
    const std::lock_guard lock(mutex_);
    return counters_;
}

KernelCache::Entry& KernelCache::entry(CodeGenerator& generator, const kernel::Kernel& kernel) {
    const std::uint64_t hash = kernel.hash();
    const std::lock_guard lock(mutex_);
    auto& entries = entries_[hash];
    for (const auto& entry : entries) {
        if (entry->generator == &generator && same(entry->kernel, kernel)) return *entry;
    }
    return *entries.emplace_back(std::make_unique<Entry>(generator, kernel));
}

KernelFunction KernelCache::make(Entry& entry) {
    CodeGenerator& generator = *entry.generator;
    profile::Span span;
    if (profile::on()) span.begin(profile::Kind::Compile, entry.kernel.name.c_str(), {});
    std::vector<std::byte> object;
    Message error;
    if (store_.find(generator.target(), entry.kernel, object)) {
        if (const KernelFunction function = generator.load(object, error)) {
            const std::lock_guard lock(mutex_);
            ++counters_.loaded;
            return function;
        }
        error = {};  // what is on disk is no good: compile, and replace it
    }
    const auto begin = std::chrono::steady_clock::now();
    KernelFunction function = nullptr;
    if (generator.compile(entry.kernel, object, error)) function = generator.load(object, error);
    if (function == nullptr) {
        raise(ErrorKind::Unsupported,
              Message() << "kernel " << entry.kernel.name.c_str() << ": cannot be compiled: " << error.text());
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    store_.keep(generator.target(), entry.kernel, object);
    const std::lock_guard lock(mutex_);
    ++counters_.compiled;
    counters_.compile_milliseconds += time.count();
    return function;
}

KernelCache& kernel_cache() {
    static KernelCache& cache = *new KernelCache(default_kernel_folder());  // NOLINT: threads may outlive main
    return cache;
}

KernelFunction compiled(const kernel::Kernel& kernel) {
    CodeGenerator* generator = code_generator();
    if (generator == nullptr) {
        raise(ErrorKind::Unsupported, Message() << "kernel " << kernel.name.c_str()
                                                << ": cannot be compiled: " << why_no_code_generator().c_str());
    }
    return kernel_cache().function(*generator, kernel);
}

}  // namespace burn::cpu
