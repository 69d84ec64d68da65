#include <burn/compiler/plan_cache.h>

#include <burn/base/profile.h>

namespace burn::compiler {

std::shared_ptr<Plan> PlanCache::find(const StructureKey& key, FunctionRef<Segment()> segment) {
    const std::uint64_t hash = key.hash();
    {
        const std::lock_guard lock(mutex_);
        const auto [first, last] = by_hash_.equal_range(hash);
        for (auto found = first; found != last; ++found) {
            if (found->second->key != key) continue;
            ++counters_.hits;
            entries_.splice(entries_.begin(), entries_, found->second);
            return entries_.front().plan;
        }
        ++counters_.misses;
    }
    // Two threads may plan the same segment; then there are two plans for a while.
    Segment fresh = segment();
    profile::Span span;
    if (profile::on()) span.begin(profile::Kind::Plan, (Message() << fresh.ops.size() << " operations").text(), {});
    auto plan = std::make_shared<Plan>(std::move(fresh), device_);
    const std::lock_guard lock(mutex_);
    entries_.push_front({key, plan});
    by_hash_.emplace(hash, entries_.begin());
    counters_.operations += plan->segment().ops.size();
    while (entries_.size() > 1 && (entries_.size() > kCapacity || counters_.operations > kMostOperations)) {
        const auto [first, last] = by_hash_.equal_range(entries_.back().key.hash());
        for (auto found = first; found != last; ++found) {
            if (found->second != std::prev(entries_.end())) continue;
            by_hash_.erase(found);
            break;
        }
        counters_.operations -= entries_.back().plan->segment().ops.size();
        entries_.pop_back();
    }
    return plan;
}

PlanCache::Counters PlanCache::counters() const {
    const std::lock_guard lock(mutex_);
    Counters counters = counters_;
    counters.plans = entries_.size();
    return counters;
}

}  // namespace burn::compiler
