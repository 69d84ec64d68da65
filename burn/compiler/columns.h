#pragma once

#include <burn/kernel/builder.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace burn::compiler {

/// The columns that a vector of values lies over, in a kernel under construction.
struct Columns {
    kernel::Value first;
    std::uint16_t lanes = 1;
    std::optional<kernel::Value> mask;  ///< where the vector ends before its lanes do
    std::size_t copy = 0,
                copies = 1;  ///< of the vectors that are walked together, which one this is and how many they are
    std::size_t vector = 0;  ///< of a row that a few cover, which one this is

    /// Neighbours from `index` on.
    kernel::Value load(const kernel::Place& place, const kernel::Value& index) const {
        return mask ? place.load_masked(index, *mask) : place.load(index, lanes);
    }
    void store(const kernel::Place& place, const kernel::Value& index, const kernel::Value& value) const {
        if (mask) {
            place.store_masked(index, value, *mask);
        } else {
            place.store(index, value);
        }
    }
};

/// Calls `body` for vectors that cover the columns from `first` to `last`: `unroll` at a time, one at a time, a masked rest.
///
/// Example   for_columns(k, begin, end, 8, 2, [&](const Columns& at) { at.store(y, at.first, at.load(x, at.first)); });
template <class Body>
void for_columns(kernel::Builder& k, const kernel::Value& first, const kernel::Value& last, std::uint16_t lanes,
                 int unroll, Body body) {
    using kernel::Value;
    Value done = first;
    const auto loop = [&](std::size_t copies) {
        const auto width = static_cast<std::int64_t>(lanes * copies);
        const Value end = done + (last - done) / width * width;
        k.for_loop(done, end, width, [&](Value column) {
            for (std::size_t copy = 0; copy < copies; ++copy) {
                const auto before = static_cast<std::int64_t>(copy * lanes);
                body(Columns{column + before, lanes, std::nullopt, copy, copies});
            }
        });
        done = end;
    };
    if (unroll > 1) loop(static_cast<std::size_t>(unroll));
    loop(1);
    k.if_then(lower(done, last),
              [&] { body(Columns{done, lanes, lower(k.iota(kernel::kIndex, lanes), splat(last - done, lanes))}); });
}

/// How a kernel under construction walks the columns of its rows.
struct RowWalk {
    kernel::Builder& k;
    std::uint16_t lanes = 1;
    int unroll = 1;
    int vectors = 0;                         ///< of a row that so few cover that it is no loop; else 0
    bool masked = false;                     ///< whether the last of them ends before its lanes do
    std::optional<kernel::Value> columns{};  ///< how many
    std::optional<kernel::Value> lines{};    ///< how often they are walked in a row, where that is a loop

    kernel::Value row_length() const { return lines ? *lines * *columns : *columns; }

    /// Calls `body` for vectors that cover the columns; in a straight line where these are few.
    template <class Body>
    void walk(const kernel::Value& first, const kernel::Value& last, Body body) const {
        if (vectors == 0) return for_columns(k, first, last, lanes, unroll, body);
        for (int u = 0; u < vectors; ++u) body(few_columns(first, u));
    }

    /// Vector number `u` of a row that a few cover. Vectors are together as a loop would take them, so that nobody can tell from
    /// the bits of a sum whether there is one.
    Columns few_columns(const kernel::Value& first, int u) const {
        const int together = std::min(vectors, unroll);
        const int looped = vectors <= unroll ? vectors : (vectors - (masked ? 1 : 0)) / unroll * unroll;
        Columns at{first + std::int64_t{u} * lanes, lanes, std::nullopt};
        at.vector = static_cast<std::size_t>(u);
        if (u < looped) {
            at.copy = static_cast<std::size_t>(u % together);
            at.copies = static_cast<std::size_t>(together);
        }
        if (masked && u + 1 == vectors)
            at.mask = lower(k.iota(kernel::kIndex, lanes), splat(*columns - std::int64_t{u} * lanes, lanes));
        return at;
    }
};

/// Room for `count` elements and a vector that begins at the last; few sizes, so that groups share kernels.
inline std::int64_t array_size(std::int64_t count, std::uint16_t lanes) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count) + lanes));
}

}  // namespace burn::compiler
