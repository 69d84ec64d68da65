#pragma once

#include <burn/core/shape.h>

#include <cstdint>
#include <limits>

namespace burn {

/// A range of one axis: start, end (exclusive), step. Negative bounds count from the end, bounds are clamped to the axis.
///
/// A negative step walks the chosen range backwards from its last element: [1, 8, -2] takes 7, 5, 3, 1.
struct Slice {
    static constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

    std::int64_t start = 0;
    std::int64_t end = kToEnd;
    std::int64_t step = 1;

    constexpr Slice() = default;  ///< everything
    constexpr Slice(std::int64_t start, std::int64_t end, std::int64_t step = 1) : start(start), end(end), step(step) {}
    static constexpr Slice from(std::int64_t start) { return {start, kToEnd}; }
    static constexpr Slice to(std::int64_t end) { return {0, end}; }
    /// The one element at `index`; the axis stays, with size 1.
    static constexpr Slice at(std::int64_t index) { return {index, index == -1 ? kToEnd : index + 1}; }

    bool operator==(const Slice&) const = default;
};

/// A slice made definite for an axis: `count` elements from `start`, `step` apart (step may be negative).
struct SliceSpan {
    std::int64_t start;
    std::int64_t count;
    std::int64_t step;
};

/// Errors    ArgumentError when the step is 0; `op` names the operation
SliceSpan resolve(const Slice& slice, std::int64_t size, const char* op);

}  // namespace burn
