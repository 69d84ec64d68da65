#include <burn/core/layout.h>

namespace burn {

Layout Layout::contiguous(const Shape& shape) {
    Layout layout{shape, Dims::filled(shape.rank(), 1), 0};
    for (std::size_t i = shape.rank(); i-- > 1;) layout.strides[i - 1] = layout.strides[i] * shape[i];
    return layout;
}

bool Layout::is_contiguous() const {
    std::int64_t expected = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        if (shape[i] == 0) return true;
        if (shape[i] != 1 && strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

Layout Layout::permute(const Dims& axes) const {
    Layout result{{}, {}, offset};
    for (std::int64_t axis : axes) {
        result.shape.push_back(shape[static_cast<std::size_t>(axis)]);
        result.strides.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    return result;
}

Layout Layout::expand(const Shape& target) const {
    Layout result{target, Dims::filled(target.rank(), 0), offset};
    const std::size_t added = target.rank() - shape.rank();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] == target[added + i]) result.strides[added + i] = strides[i];
    }
    return result;
}

Layout Layout::flip(std::size_t axis) const {
    Layout result = *this;
    if (shape[axis] > 0) result.offset += (shape[axis] - 1) * strides[axis];
    result.strides[axis] = -strides[axis];
    return result;
}

Layout Layout::slice(std::size_t axis, std::int64_t start, std::int64_t count, std::int64_t step) const {
    Layout result = *this;
    if (count > 0) result.offset += start * strides[axis];
    result.shape[axis] = count;
    result.strides[axis] = strides[axis] * step;
    return result;
}

bool Layout::reshape(const Shape& target, Layout& result) const {
    if (shape.numel() == 0 || is_contiguous()) {
        result = contiguous(target);
        result.offset = offset;
        return true;
    }
    // Old and new axes are matched in runs of equal products; a run of old axes must step evenly to be cut anew.
    Layout made{target, Dims::filled(target.rank(), 0), offset};
    std::size_t from = 0;
    std::size_t to = 0;
    while (to < target.rank()) {
        if (target[to] == 1) {
            ++to;
            continue;
        }
        while (shape[from] == 1) ++from;
        std::size_t from_end = from + 1;
        std::size_t to_end = to + 1;
        std::int64_t from_product = shape[from];
        std::int64_t to_product = target[to];
        while (from_product != to_product) {
            if (from_product < to_product) {
                from_product *= shape[from_end++];
            } else {
                to_product *= target[to_end++];
            }
        }
        std::int64_t run_stride = 0;
        std::int64_t next = 0;
        bool first = true;
        for (std::size_t i = from_end; i-- > from;) {
            if (shape[i] == 1) continue;
            if (first) {
                run_stride = strides[i];
            } else if (strides[i] != next) {
                return false;
            }
            first = false;
            next = strides[i] * shape[i];
        }
        std::int64_t stride = run_stride;
        for (std::size_t i = to_end; i-- > to;) {
            made.strides[i] = stride;
            stride *= target[i];
        }
        from = from_end;
        to = to_end;
    }
    result = made;
    return true;
}

}  // namespace burn
