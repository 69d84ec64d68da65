#include <burn/compiler/space.h>

namespace burn::compiler {

namespace {

std::int64_t product(const std::vector<std::int64_t>& sizes, std::size_t first, std::size_t last) {
    std::int64_t result = 1;
    for (std::size_t i = first; i < last; ++i) result *= sizes[i];
    return result;
}

}  // namespace

std::int64_t Space::rows() const { return product(sizes, 0, outer); }

std::int64_t Space::lines() const { return product(sizes, outer, last()); }

std::vector<std::int64_t> broadcast_strides(const Layout& layout, const Shape& shape) {
    std::vector<std::int64_t> strides(shape.rank(), 0);
    const std::size_t missing = shape.rank() - layout.shape.rank();
    for (std::size_t i = 0; i < layout.shape.rank(); ++i) {
        if (layout.shape[i] != 1) strides[missing + i] = layout.strides[i];
    }
    return strides;
}

Space join_axes(const Shape& shape, const std::vector<std::vector<std::int64_t>>& strides, std::size_t split) {
    Space space;
    space.strides.resize(strides.size());
    const auto push = [&](std::int64_t size, std::size_t axis) {
        space.sizes.push_back(size);
        for (std::size_t t = 0; t < strides.size(); ++t)
            space.strides[t].push_back(axis < shape.rank() ? strides[t][axis] : 0);
    };
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (axis == split) space.outer = space.sizes.size();
        if (shape[axis] == 1) continue;
        bool even = space.sizes.size() > (axis < split ? 0 : space.outer);
        for (std::size_t t = 0; even && t < strides.size(); ++t)
            even = space.strides[t].back() == strides[t][axis] * shape[axis];
        if (even) {
            space.sizes.back() *= shape[axis];
            for (std::size_t t = 0; t < strides.size(); ++t) space.strides[t].back() = strides[t][axis];
        } else {
            push(shape[axis], axis);
        }
    }
    if (space.sizes.size() == space.outer) push(1, shape.rank());
    if (split >= shape.rank()) space.outer = space.last();
    return space;
}

}  // namespace burn::compiler
