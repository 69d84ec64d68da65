#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/plan.h>
#include <burn/compiler/structure_key.h>

#include <list>
#include <unordered_map>

namespace burn::compiler {

/// Plans by the structure of their segments; the least recently used go when there are too many.
///
/// Thread    all members may be called from several threads
class PlanCache {
public:
    /// Of plans for `device`, which outlives them.
    explicit PlanCache(const Device& device) : device_(device) {}

    static constexpr std::size_t kCapacity = 2048;
    /// Of all plans together: the memory of a plan grows with its operations.
    static constexpr std::size_t kMostOperations = 100000;

    struct Counters {
        std::uint64_t hits = 0;
        std::uint64_t misses = 0;
        std::size_t plans = 0;
        std::size_t operations = 0;  ///< of the segments of these plans
    };

    /// The plan of all segments with this key; made of `segment` if there is none yet.
    std::shared_ptr<Plan> find(const StructureKey& key, FunctionRef<Segment()> segment);
    Counters counters() const;

private:
    struct Entry {
        StructureKey key;
        std::shared_ptr<Plan> plan;
    };

    const Device& device_;
    mutable std::mutex mutex_;
    std::list<Entry> entries_;  ///< the most recently used first
    std::unordered_multimap<std::uint64_t, std::list<Entry>::iterator> by_hash_;
    Counters counters_;
};

}  // namespace burn::compiler
