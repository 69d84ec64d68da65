#include <burn/compiler/outline.h>

#include <burn/base/error.h>
#include <burn/compiler/fusable.h>
#include <burn/compiler/leaving.h>
#include <burn/compiler/rows_within.h>
#include <burn/ops/cast.h>

#include <algorithm>

namespace burn::compiler {

namespace {

/// Rows up to this length may keep intermediate values in an array.
constexpr std::int64_t kLongestKept = 4096;
/// Rows of three passes are walked without a loop where so many vectors cover them. (With two passes that gains little, and
/// loses where the last vector is masked.)
constexpr std::int64_t kStraightVectors = 8;
/// Rows of a cube from which on it pays to begin the next one early: two of them then lie in the first cache.
constexpr std::int64_t kFewestAhead = 4;
/// Elements from which on passes are joined: the kernel takes a fifth longer to compile.
constexpr std::int64_t kFewestJoined = 32768;
/// Rows up to this length are begun three rows ahead where passes are joined.
constexpr std::int64_t kLongestFarAhead = 1024;

Walk walk_of(const Segment& segment, const Group& group) {
    Walk walk;
    walk.whole_rows = group.rows;
    walk.single_rows = group.goes_by_rows();
    walk.kept = group.kept;
    for (const std::uint32_t op : group.leaving)
        (keeps_columns(segment, op) ? walk.sums_columns : walk.sums_all) = true;
    return walk;
}

Space find_space(const Segment& segment, const Group& group, std::span<const Layout> input_layouts) {
    std::vector<std::vector<std::int64_t>> strides;
    for (std::size_t i = 0; i < input_layouts.size(); ++i) {
        Layout layout;
        const bool fits = input_layouts[i].reshape(segment.values[group.names[i]].spec.shape, layout);
        require_internal(fits, "schedule: an input does not lie as it is read");
        strides.push_back(broadcast_strides(layout, group.space));
    }
    for (std::size_t i = 0; i + group.leaving.size() < group.outputs.size(); ++i) {
        const Shape& shape = segment.values[group.outputs[i]].spec.shape;
        strides.push_back(broadcast_strides(Layout::contiguous(shape), group.space));
    }
    if (draws_numbers(group, segment))
        strides.push_back(broadcast_strides(Layout::contiguous(group.space), group.space));
    return join_axes(group.space, strides, group.split);
}

}  // namespace

DType Outline::compute_dtype(ValueId value) const { return ops::accumulator_of(dtype(value)); }

bool Outline::may_keep() const { return row_length() <= kLongestKept; }

std::uint32_t Outline::last_walk() const {
    const auto has_elements = [&](ValueId value) { return !phases.one_per_row[value]; };
    const auto first_leaving = group.outputs.begin() + static_cast<std::ptrdiff_t>(stored_outputs());
    const bool walks_in_last = std::any_of(group.outputs.begin(), first_leaving, has_elements) ||
                               std::any_of(group.leaving.begin(), group.leaving.end(),
                                           [&](std::uint32_t op) { return has_elements(segment.ops[op].inputs[0]); });
    return walks_in_last || phases.last() == 0 ? phases.last() : phases.last() - 1;
}

bool Outline::runs_ahead() const {
    return phases.last() > 1 && grid.rows_per_cube >= kFewestAhead && !draws_numbers(group, segment);
}

bool Outline::computes_only_elements() const {
    return !group.rows && group.leaving.empty() && phases.last() == 0 && phases.passes[0].reductions.empty();
}

std::int64_t Outline::rows_ahead() const { return row_length() > kLongestFarAhead ? 2 : 3; }

bool Outline::joins_passes() const {
    return runs_ahead() && phases.last() == 2 && last_walk() == 2 && space.outer == space.last() &&
           space.rows() * row_length() >= kFewestJoined;
}

namespace {

/// Whether there is a result of a half type with rows of elements.
bool stores_halves(const Outline& outline) {
    const auto& outputs = outline.group.outputs;
    const auto end = outputs.begin() + static_cast<std::ptrdiff_t>(outline.stored_outputs());
    return std::any_of(outputs.begin(), end, [&](ValueId output) {
        return !outline.phases.one_per_row[output] && outline.compute_dtype(output) != outline.dtype(output);
    });
}

}  // namespace

bool Outline::asks_ahead() const {
    return computes_only_elements() && !group.goes_by_rows() && !stores_halves(*this) &&
           std::any_of(group.ops.begin(), group.ops.end(),
                       [&](std::uint32_t op) { return is_expensive(segment.ops[op].op.code()); });
}

RowWalk Outline::walk(kernel::Builder& k) const {
    RowWalk walk{k, static_cast<std::uint16_t>(vector_bytes / 4),
                 group.ops.size() <= 6    ? 4
                 : group.ops.size() <= 16 ? 2
                                          : 1};
    // A register of halves at a time, computed in two: rounding and storing them takes what one would. Where only elements are
    // computed, whose results do not depend on how wide vectors are, two registers, so that four vectors are computed together:
    // rounding ends a stretch of code that may change its order.
    if (walk.unroll > 1 && stores_halves(*this)) {
        const bool only_elements = computes_only_elements() && !draws_numbers(group, segment);
        walk.lanes *= only_elements ? 4 : 2;
        walk.unroll = only_elements ? 1 : 2;
    }
    // Elsewhere many shapes had better share a kernel.
    if (space.outer < space.last() || (!group.rows && group.leaving.empty())) return walk;
    const std::int64_t vectors = (space.columns() + walk.lanes - 1) / walk.lanes;
    const bool goes_straight = phases.last() > 1 && walk.unroll > 1 && vectors <= kStraightVectors;
    if (goes_straight || vectors <= walk.unroll) walk.vectors = static_cast<int>(vectors);
    walk.masked = space.columns() % walk.lanes != 0;
    return walk;
}

Outline make_outline(const Segment& segment, const Group& group, std::span<const Layout> input_layouts,
                     std::size_t vector_bytes) {
    Outline outline{segment, group, vector_bytes, find_space(segment, group, input_layouts), {}, {}};
    Walk walk = walk_of(segment, group);
    outline.grid = make_grid(outline.space, walk);
    outline.phases = find_phases(segment, group, outline.may_keep());
    walk.begins_early = outline.joins_passes();
    if (walk.begins_early) outline.grid = make_grid(outline.space, walk);
    return outline;
}

}  // namespace burn::compiler
