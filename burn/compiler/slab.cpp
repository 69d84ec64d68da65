#include <burn/compiler/slab.h>

#include <burn/base/memory.h>

#include <algorithm>

namespace burn::compiler {

namespace {

std::uint64_t rounded(std::uint64_t bytes) { return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment; }

/// What is needed at each step, as it grows and shrinks.
class Demand {
public:
    explicit Demand(std::size_t steps) : changes_(steps + 1, 0) {}

    void add(std::uint64_t bytes, std::size_t first, std::size_t last) {
        changes_[first] += static_cast<std::int64_t>(bytes);
        changes_[last + 1] -= static_cast<std::int64_t>(bytes);
    }
    struct Peak {
        std::int64_t bytes = 0;
        std::size_t step = 0;
    };
    Peak peak() const {
        std::int64_t now = 0;
        Peak peak;
        for (std::size_t step = 0; step < changes_.size(); ++step) {
            now += changes_[step];
            if (now > peak.bytes) peak = {now, step};
        }
        return peak;
    }

private:
    std::vector<std::int64_t> changes_;  ///< by step
};

/// When the most memory is needed: for the slab, and a block for each tenant outside.
Demand::Peak peak_with(std::span<const Tenant> tenants, const Slab& slab, std::size_t steps) {
    Demand demand(steps);
    if (slab.bytes > 0) demand.add(slab.bytes, slab.first, slab.last);
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        if (slab.places[i] == Slab::kOutside) demand.add(rounded(tenants[i].bytes), tenants[i].first, tenants[i].last);
    }
    return demand.peak();
}

/// Where the tenant can lie beside those that are there at the same time. `by_place`: who has a place, from the lowest on.
std::uint64_t free_place(std::span<const Tenant> tenants, std::size_t index, const Slab& slab,
                         std::span<const std::size_t> by_place) {
    const Tenant& tenant = tenants[index];
    std::uint64_t place = 0;
    for (const std::size_t other : by_place) {
        if (tenants[other].first > tenant.last || tenant.first > tenants[other].last) continue;
        const std::uint64_t begin = slab.places[other], end = begin + rounded(tenants[other].bytes);
        if (end <= place) continue;
        if (begin >= place + rounded(tenant.bytes)) break;
        place = end;
    }
    return place;
}

/// The slab with one tenant more.
Slab with_tenant(std::span<const Tenant> tenants, std::size_t index, std::uint64_t place, Slab slab) {
    const Tenant& tenant = tenants[index];
    slab.first = slab.bytes == 0 ? tenant.first : std::min(slab.first, tenant.first);
    slab.last = std::max(slab.last, tenant.last);
    slab.bytes = std::max(slab.bytes, place + rounded(tenant.bytes));
    slab.places[index] = place;
    return slab;
}

}  // namespace

Slab make_slab(std::span<const Tenant> tenants, std::size_t steps) {
    std::vector<std::size_t> movable;
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        if (tenants[i].movable && tenants[i].bytes > 0) movable.push_back(i);
    }
    const Slab none{std::vector<std::uint64_t>(tenants.size(), Slab::kOutside)};
    const Demand::Peak allowed = peak_with(tenants, none, steps);
    const auto is_at_peak = [&](std::size_t i) {
        return tenants[i].first <= allowed.step && allowed.step <= tenants[i].last;
    };
    std::sort(movable.begin(), movable.end(), [&](std::size_t a, std::size_t b) {
        if (is_at_peak(a) != is_at_peak(b)) return is_at_peak(a);
        return tenants[a].bytes != tenants[b].bytes ? tenants[a].bytes > tenants[b].bytes : a < b;
    });
    Slab slab = none;
    std::vector<std::size_t> by_place;
    for (const std::size_t tenant : movable) {
        const std::uint64_t place = free_place(tenants, tenant, slab, by_place);
        Slab larger = with_tenant(tenants, tenant, place, slab);
        if (peak_with(tenants, larger, steps).bytes > allowed.bytes) continue;
        slab = std::move(larger);
        by_place.insert(std::upper_bound(by_place.begin(), by_place.end(), place,
                                         [&](std::uint64_t at, std::size_t i) { return at < slab.places[i]; }),
                        tenant);
    }
    return by_place.size() > 1 ? slab : none;
}

}  // namespace burn::compiler
