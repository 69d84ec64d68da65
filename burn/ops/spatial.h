#pragma once

#include <burn/core/shape.h>

namespace burn::ops {

/// The sizes of [batch, channels, size..] behind its first two axes.
inline Dims spatial_sizes(const Shape& shape) {
    Dims sizes;
    for (std::size_t axis = 2; axis < shape.rank(); ++axis) sizes.push_back(shape[axis]);
    return sizes;
}

/// [first, second, size..].
inline Shape with_spatial(std::int64_t first, std::int64_t second, const Dims& sizes) {
    Shape shape{first, second};
    for (const std::int64_t size : sizes) shape.push_back(size);
    return shape;
}

}  // namespace burn::ops
