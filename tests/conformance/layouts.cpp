#include "tests/conformance/layouts.h"

#include <burn/core/layout.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

#include <cstring>

namespace burn::conformance {

namespace {

/// A tensor of values that nobody should read.
TensorData poisoned(const Shape& shape, DType dtype) {
    TensorData data(shape, dtype);
    if (is_float(dtype)) {
        std::memset(data.mutable_bytes().data(), 0xff,
                    data.mutable_bytes().size());  // all ones is a NaN in every floating type
    } else if (dtype == DType::Bool) {
        std::memset(data.mutable_bytes().data(), 1, data.mutable_bytes().size());
    } else {
        for (std::byte& byte : data.mutable_bytes()) byte = std::byte{0x55};
    }
    return data;
}

/// Calls `visit(index)` for every place of a shape, in row-major order.
template <class Visit>
void for_each_index(const Shape& shape, Visit visit) {
    if (shape.numel() == 0) return;
    Dims index = Dims::filled(shape.rank(), 0);
    for (;;) {
        visit(index);
        std::size_t axis = shape.rank();
        while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
        if (axis == 0) return;
    }
}

std::int64_t place_of(const Layout& layout, const Dims& index) {
    std::int64_t place = layout.offset;
    for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * layout.strides[axis];
    return place;
}

/// Writes `data` into the elements of `parent` that `view` names.
void write(TensorData& parent, const Layout& view, const TensorData& data) {
    const std::size_t size = size_of(data.dtype());
    std::byte* to = parent.mutable_bytes().data();
    const std::byte* from = data.bytes().data();
    for_each_index(data.shape(), [&](const Dims& index) {
        std::memcpy(to + static_cast<std::size_t>(place_of(view, index)) * size, from, size);
        from += size;
    });
}

/// The axes along which all slices of `data` are equal, bit for bit.
Dims constant_axes(const TensorData& data) {
    const std::size_t size = size_of(data.dtype());
    const std::byte* bytes = data.bytes().data();
    const Layout layout = Layout::contiguous(data.shape());
    Dims axes;
    for (std::size_t axis = 0; axis < data.shape().rank(); ++axis) {
        if (data.shape()[axis] < 2) continue;
        bool equal = true;
        for_each_index(data.shape(), [&](const Dims& index) {
            Dims first = index;
            first[axis] = 0;
            equal = equal && std::memcmp(bytes + static_cast<std::size_t>(place_of(layout, index)) * size,
                                         bytes + static_cast<std::size_t>(place_of(layout, first)) * size, size) == 0;
        });
        if (equal) axes.push_back(static_cast<std::int64_t>(axis));
    }
    return axes;
}

Dims reversed_axes(std::size_t rank) {
    Dims axes;
    for (std::size_t axis = rank; axis-- > 0;) axes.push_back(static_cast<std::int64_t>(axis));
    return axes;
}

ops::Handle place_transposed(ops::Engine& engine, const TensorData& data) {
    const Dims axes = reversed_axes(data.shape().rank());
    TensorData parent(Layout::contiguous(data.shape()).permute(axes).shape, data.dtype());
    write(parent, Layout::contiguous(parent.shape()).permute(axes), data);
    return ops::permute(engine.upload(parent), axes);
}

/// The values `step` apart, with `before` elements in front of them and one behind, on every axis.
ops::Handle place_inside(ops::Engine& engine, const TensorData& data, std::int64_t before, std::int64_t step) {
    Shape shape = data.shape();
    for (std::int64_t& size : shape) size = before + size * step + 1;
    TensorData parent = poisoned(shape, data.dtype());
    Layout view = Layout::contiguous(shape);
    ops::SliceList slices;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        view = view.slice(axis, before, data.shape()[axis], step);
        slices.push_back(Slice(before, before + data.shape()[axis] * step, step));
    }
    write(parent, view, data);
    return ops::slice(engine.upload(parent), slices);
}

ops::Handle place_broadcast(ops::Engine& engine, const TensorData& data) {
    const Dims axes = constant_axes(data);
    Shape small = data.shape();
    for (std::int64_t axis : axes) small[static_cast<std::size_t>(axis)] = 1;
    if (!axes.empty()) {
        TensorData parent(small, data.dtype());
        write(parent, Layout::contiguous(small).expand(data.shape()), data);
        return ops::expand(engine.upload(parent), data.shape());
    }
    if (data.shape().rank() == kMaxRank) return engine.upload(data);  // no room for a parent
    Shape with_leading = data.shape();
    with_leading.insert(0, 1);
    Shape wide = with_leading;
    wide[0] = 3;
    const ops::Handle parent = ops::expand(engine.upload(data.reshape(with_leading)), wide);
    return ops::reshape(ops::slice(parent, {Slice(1, 2)}), data.shape());
}

ops::Handle place_reversed(ops::Engine& engine, const TensorData& data) {
    TensorData parent(data.shape(), data.dtype());
    Layout view = Layout::contiguous(data.shape());
    for (std::size_t axis = 0; axis < data.shape().rank(); ++axis) view = view.flip(axis);
    write(parent, view, data);
    return ops::flip(engine.upload(parent), reversed_axes(data.shape().rank()));
}

}  // namespace

const char* name_of(Placement placement) {
    static constexpr const char* kNames[] = {"contiguous", "transposed", "sliced", "strided", "broadcast", "reversed"};
    return kNames[static_cast<int>(placement)];
}

ops::Handle place(ops::Engine& engine, const TensorData& data, Placement placement) {
    switch (placement) {
        case Placement::Contiguous: break;
        case Placement::Transposed: return place_transposed(engine, data);
        case Placement::Sliced: return place_inside(engine, data, 2, 1);
        case Placement::Strided: return place_inside(engine, data, 1, 2);
        case Placement::Broadcast: return place_broadcast(engine, data);
        case Placement::Reversed: return place_reversed(engine, data);
    }
    return engine.upload(own_copy(data));
}

TensorData own_copy(const TensorData& data) { return TensorData::from_raw(data.bytes(), data.shape(), data.dtype()); }

}  // namespace burn::conformance
