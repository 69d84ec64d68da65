#pragma once

#include <burn/compiler/group.h>

#include <vector>

namespace burn::compiler {

/// In how many passes over its row a group runs, and what each pass computes.
///
/// A reduction of rows needs a whole pass; what depends on its result belongs to a later one. The last pass writes the outputs,
/// and feeds the reductions whose results leave the group; their own results are in no pass (`producer` is kOutside).
struct Phases {
    struct Pass {
        std::vector<std::uint32_t> reductions;  ///< operations finished by this pass
        std::vector<ValueId> keeps;  ///< values of the whole row that a later pass loads instead of computing them
    };
    std::vector<Pass> passes;
    std::vector<std::uint32_t> producer;  ///< by value: the operation of the group that makes it, or kOutside
    std::vector<bool> one_per_row;        ///< by value: whether it has one element a row
    std::vector<std::uint32_t> level;     ///< by value: the first pass that can compute it

    static constexpr std::uint32_t kOutside = ~0u;
    std::uint32_t last() const { return static_cast<std::uint32_t>(passes.size()) - 1; }
};

/// `may_keep`: whether a row is short enough to keep values of it.
Phases find_phases(const Segment& segment, const Group& group, bool may_keep);

}  // namespace burn::compiler
