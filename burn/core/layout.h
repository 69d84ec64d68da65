#pragma once

#include <burn/core/shape.h>

namespace burn {

/// How a strided view lies in its buffer: element (i, j, ..) is at offset + i * strides[0] + j * strides[1] + ..
///
/// Units     elements, not bytes; strides may be 0 (broadcast) or negative (reversed)
struct Layout {
    Shape shape;
    Dims strides;
    std::int64_t offset = 0;

    /// Row-major, without gaps, starting at 0.
    static Layout contiguous(const Shape& shape);

    /// Whether the elements in order fill offset .. offset + numel - 1 without gaps.
    bool is_contiguous() const;

    /// The axes in a new order; axes[i] names the old axis that becomes axis i.
    Layout permute(const Dims& axes) const;
    /// Size-1 axes grow to `target` with stride 0; leading axes may be added.
    Layout expand(const Shape& target) const;
    /// Axis `axis` walked backwards.
    Layout flip(std::size_t axis) const;
    /// `count` elements of axis `axis` from `start`, every `step`-th; a negative step walks down from `start`.
    Layout slice(std::size_t axis, std::int64_t start, std::int64_t count, std::int64_t step) const;
    /// The same elements under another shape, if that needs no copy.
    ///
    /// Returns whether it does not; then `result` is set.
    bool reshape(const Shape& target, Layout& result) const;
};

}  // namespace burn
