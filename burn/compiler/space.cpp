#include <burn/compiler/space.h>

namespace burn::compiler {

std::int64_t Space::rows() const {
    std::int64_t product = 1;
    for (std::size_t i = 0; i < outer(); ++i) product *= sizes[i];
    return product;
}

std::vector<std::int64_t> broadcast_strides(const Layout& layout, const Shape& shape) {
    std::vector<std::int64_t> strides(shape.rank(), 0);
    const std::size_t missing = shape.rank() - layout.shape.rank();
    for (std::size_t i = 0; i < layout.shape.rank(); ++i) {
        if (layout.shape[i] != 1) strides[missing + i] = layout.strides[i];
    }
    return strides;
}

Space join_axes(const Shape& shape, std::vector<std::vector<std::int64_t>> strides, bool keep_last) {
    Space space;
    space.strides.resize(strides.size());
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        const bool last = axis + 1 == shape.rank();
        if (shape[axis] == 1 && !(last && keep_last)) continue;
        bool even = !space.sizes.empty() && !(last && keep_last);
        for (std::size_t t = 0; even && t < strides.size(); ++t)
            even = space.strides[t].back() == strides[t][axis] * shape[axis];
        if (even) {
            space.sizes.back() *= shape[axis];
            for (std::size_t t = 0; t < strides.size(); ++t) space.strides[t].back() = strides[t][axis];
        } else {
            space.sizes.push_back(shape[axis]);
            for (std::size_t t = 0; t < strides.size(); ++t) space.strides[t].push_back(strides[t][axis]);
        }
    }
    if (space.sizes.empty()) {
        space.sizes.push_back(1);
        for (auto& list : space.strides) list.push_back(0);
    }
    return space;
}

}  // namespace burn::compiler
