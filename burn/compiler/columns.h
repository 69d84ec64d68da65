#pragma once

#include <burn/kernel/builder.h>

#include <optional>

namespace burn::compiler {

/// The columns that a vector of values lies over, in a kernel under construction.
struct Columns {
    kernel::Value first;
    std::uint16_t lanes = 1;
    std::optional<kernel::Value> mask;  ///< where the vector ends before its lanes do

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
/// Example   for_columns(k, begin, end, 8, 2, [&](const Columns& at, int copy) { at.store(y, at.first, at.load(x, at.first)); });
template <class Body>
void for_columns(kernel::Builder& k, const kernel::Value& first, const kernel::Value& last, std::uint16_t lanes,
                 int unroll, Body body) {
    using kernel::Value;
    Value done = first;
    const auto loop = [&](std::int64_t width, int copies) {
        const Value end = done + (last - done) / width * width;
        k.for_loop(done, end, width, [&](Value column) {
            for (int copy = 0; copy < copies; ++copy)
                body(Columns{column + std::int64_t{copy} * lanes, lanes, std::nullopt}, copy);
        });
        done = end;
    };
    if (unroll > 1) loop(std::int64_t{lanes} * unroll, unroll);
    loop(lanes, 1);
    k.if_then(lower(done, last),
              [&] { body(Columns{done, lanes, lower(k.iota(kernel::kIndex, lanes), splat(last - done, lanes))}, 0); });
}

}  // namespace burn::compiler
