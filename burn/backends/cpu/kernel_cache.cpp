#include <burn/backends/cpu/kernel_cache.h>

#include <burn/backends/cpu/plugin.h>
#include <burn/base/error.h>
#include <burn/base/profile.h>

#include <algorithm>
#include <chrono>

namespace burn::cpu {

namespace {

bool same(const kernel::Kernel& a, const kernel::Kernel& b) {
    return a.units == b.units && a.plane == b.plane && a.parameters == b.parameters && a.blocks == b.blocks &&
           a.nodes == b.nodes;
}

}  // namespace

std::shared_ptr<const CpuExecutable> KernelCache::executable(CodeGenerator& generator, const kernel::Kernel& kernel) {
    const std::shared_ptr<Entry> found = entry(generator, kernel);
    const std::lock_guard lock(found->mutex);
    if (found->executable == nullptr) {
        found->executable = make(*found);
    } else {
        const std::lock_guard count(mutex_);
        ++counters_.in_memory;
    }
    return found->executable;
}

KernelCacheCounters KernelCache::counters() const {
    const std::lock_guard lock(mutex_);
    KernelCacheCounters counters = counters_;
    counters.kept = entries_.size();
    return counters;
}

std::shared_ptr<KernelCache::Entry> KernelCache::entry(CodeGenerator& generator, const kernel::Kernel& kernel) {
    const std::uint64_t hash = kernel.hash();
    Entries dropped;  // unloaded when the lock is free again
    const std::lock_guard lock(mutex_);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        const Entry& known = **it->second;
        if (known.generator != &generator || !same(known.kernel, kernel)) continue;
        entries_.splice(entries_.begin(), entries_, it->second);
        return entries_.front();
    }
    if (entries_.size() >= drop_at_) dropped = take_unused();
    entries_.push_front(std::make_shared<Entry>(generator, kernel, hash));
    by_hash_.emplace(hash, entries_.begin());
    return entries_.front();
}

/// Some at once, so that the look at those that are held, which stay, is spread over many new kernels.
KernelCache::Entries KernelCache::take_unused() {
    const std::size_t share = limit_ / 8;
    Entries taken;
    for (auto it = entries_.end(); it != entries_.begin() && entries_.size() >= limit_ - share;) {
        const auto entry = std::prev(it);
        const std::unique_lock lock((*entry)->mutex, std::try_to_lock);
        // A thread that has found the entry but not locked it yet keeps it alive, and the kernel with it.
        if (!lock.owns_lock() || (*entry)->executable.use_count() > 1) {
            it = entry;
            continue;
        }
        const auto [first, last] = by_hash_.equal_range((*entry)->hash);
        by_hash_.erase(std::find_if(first, last, [&](const auto& known) { return known.second == entry; }));
        taken.splice(taken.begin(), entries_, entry);
    }
    counters_.dropped += taken.size();
    drop_at_ = std::max(limit_, entries_.size() + share);
    return taken;
}

std::shared_ptr<const CpuExecutable> KernelCache::make(const Entry& entry) {
    CodeGenerator& generator = *entry.generator;
    profile::Span span;
    if (profile::on()) span.begin(profile::Kind::Compile, entry.kernel.name.c_str(), {});
    std::vector<std::byte> object;
    Message error;
    if (store_.find(generator.target(), entry.kernel, object)) {
        if (const KernelFunction function = generator.load(object, error)) {
            const std::lock_guard lock(mutex_);
            ++counters_.loaded;
            return std::make_shared<CpuExecutable>(generator, function);
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
    auto executable = std::make_shared<CpuExecutable>(generator, function);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    store_.keep(generator.target(), entry.kernel, object);
    const std::lock_guard lock(mutex_);
    ++counters_.compiled;
    counters_.compile_milliseconds += time.count();
    return executable;
}

KernelCache& kernel_cache() {
    static KernelCache& cache = *new KernelCache(default_kernel_folder());  // NOLINT: threads may outlive main
    return cache;
}

std::shared_ptr<const CpuExecutable> compiled(const kernel::Kernel& kernel) {
    CodeGenerator* generator = code_generator();
    if (generator == nullptr) {
        raise(ErrorKind::Unsupported, Message() << "kernel " << kernel.name.c_str()
                                                << ": cannot be compiled: " << why_no_code_generator().c_str());
    }
    return kernel_cache().executable(*generator, kernel);
}

}  // namespace burn::cpu
