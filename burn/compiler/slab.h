#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace burn::compiler {

/// Memory that a plan needs from one of its steps to another.
struct Tenant {
    std::uint64_t bytes = 0;
    std::size_t first = 0, last = 0;  ///< steps, both among those that need it
    bool movable = true;              ///< whether it may lie in the slab
};

/// One block of memory for many tenants, those at one place that are not needed at the same time.
struct Slab {
    static constexpr std::uint64_t kOutside = ~std::uint64_t{0};

    std::vector<std::uint64_t> places;  ///< by tenant: bytes from the beginning, or kOutside
    std::uint64_t bytes = 0;            ///< 0: nobody lies in it
    std::size_t first = 0, last = 0;    ///< the steps that need it
};

/// Gives tenants their places in a slab: first those that are needed when most memory is, the largest first, each the lowest
/// place that is free while it is needed. Places are multiples of kBlockAlignment.
///
/// Memory    The slab is there from the first step that needs a part of it to the last. A tenant with which more memory would be
///           needed at once than when each has a block of its own stays outside.
/// Source    greedy by size: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference, 2020
Slab make_slab(std::span<const Tenant> tenants, std::size_t steps);

}  // namespace burn::compiler
