#include "tests/fuzz/programs/draw.h"

#include <burn/ops/all_ops.h>
#include <burn/ops/masks.h>

namespace burn::fuzz {

namespace {

using ops::Handle;
using ops::HandleList;

Handle anything(Draw& draw, std::size_t least_rank = 1) {
    const std::size_t rank = std::max<std::size_t>(least_rank, static_cast<std::size_t>(draw.random.between(1, 4)));
    return draw.pick_or([&](const Handle& it) { return it.rank() >= least_rank && it.shape().numel() <= 40000; },
                        {draw.shape(rank), draw.any_type()}, Fill::Eighths);
}

/// A range of an axis that has elements where the axis has.
Slice range(Draw& draw, std::int64_t size) {
    if (size == 0) return {};
    const std::int64_t start = draw.random.below(size), end = draw.random.between(start + 1, size);
    const std::int64_t step = draw.random.one_in(3) ? draw.random.between(1, 3) : 1;
    return {start, end, draw.random.one_in(5) ? -step : step};
}

ops::SliceList ranges(Draw& draw, const Shape& shape) {
    ops::SliceList slices;
    for (const std::int64_t size : shape) slices.push_back(draw.random.one_in(2) ? Slice() : range(draw, size));
    return slices;
}

Shape region(const Shape& shape, const ops::SliceList& slices) {
    Shape result;
    for (std::size_t i = 0; i < shape.rank(); ++i) result.push_back(resolve(slices[i], shape[i], "region").count);
    return result;
}

HandleList reshape(Draw& draw) {
    const Handle x = anything(draw);
    Shape shape = x.shape();
    if (draw.random.one_in(3)) return ops::list_of(ops::reshape(x, Shape{shape.numel()}));
    const auto axis = static_cast<std::size_t>(draw.random.below(static_cast<std::int64_t>(shape.rank())));
    if (draw.random.one_in(2) && shape.rank() > 1 && axis + 1 < shape.rank()) {  // join
        shape[axis] *= shape[axis + 1];
        shape.erase(axis + 1);
    } else if (shape.rank() < 5) {  // part
        std::int64_t factor = 1;
        for (const std::int64_t candidate : {2, 3, 5, 7}) {
            if (shape[axis] > 0 && shape[axis] % candidate == 0 && draw.random.one_in(2)) factor = candidate;
        }
        shape[axis] /= factor;
        shape.insert(axis + static_cast<std::size_t>(draw.random.below(2)), factor);
    }
    return ops::list_of(ops::reshape(x, shape));
}

HandleList permute(Draw& draw) {
    const Handle x = anything(draw, 2);
    const auto rank = static_cast<std::int64_t>(x.rank());
    return ops::list_of(ops::swap_dims(x, draw.random.below(rank), draw.random.below(rank)));
}

HandleList expand(Draw& draw) {
    const Handle x = anything(draw);
    Shape shape = x.shape();
    for (std::int64_t& axis : shape) {
        if (axis == 1 && shape.numel() < 2000) axis = draw.random.between(1, 9);
    }
    if (draw.random.one_in(2) && shape.rank() < 4 && shape.numel() < 2000) shape.insert(0, draw.random.between(1, 4));
    return ops::list_of(ops::expand(x, shape));
}

HandleList slice(Draw& draw) {
    const Handle x = anything(draw);
    return ops::list_of(ops::slice(x, ranges(draw, x.shape())));
}

HandleList flip(Draw& draw) {
    const Handle x = anything(draw);
    return ops::list_of(ops::flip(x, {draw.axis_of(x)}));
}

HandleList unfold(Draw& draw) {
    const Handle x = anything(draw);
    const std::int64_t axis = draw.axis_of(x), size = draw.random.between(1, 4);
    if (x.rank() > 4 || x.shape().numel() > 5000) return {};
    return ops::list_of(ops::unfold(x, axis, size, draw.random.between(1, 3)));
}

HandleList slice_assign(Draw& draw) {
    const Handle x = anything(draw);
    const ops::SliceList slices = ranges(draw, x.shape());
    if (draw.random.one_in(4)) return ops::list_of(ops::slice_fill(x, slices, draw.scalar(x.dtype())));
    const Shape shape = region(x.shape(), slices);
    const Handle values = draw.pick_or([&](const Handle& it) { return it.dtype() == x.dtype() && it.shape() == shape; },
                                       {shape, x.dtype()}, Fill::Eighths);
    return ops::list_of(ops::slice_assign(x, slices, values));
}

HandleList cat(Draw& draw) {
    const Handle x = anything(draw);
    const std::int64_t axis = draw.axis_of(x);
    HandleList parts = ops::list_of(Handle(x));
    for (std::int64_t i = draw.random.between(1, 3); i > 0; --i) {
        if (draw.random.one_in(6)) {
            parts.push_back(x);
            continue;
        }
        Shape shape = x.shape();
        shape[static_cast<std::size_t>(axis)] = draw.random.between(0, 9);
        const auto fits = [&](const Handle& it) {
            if (it.dtype() != x.dtype() || it.rank() != x.rank()) return false;
            for (std::size_t i = 0; i < x.rank(); ++i) {
                if (i != static_cast<std::size_t>(axis) && it.shape()[i] != shape[i]) return false;
            }
            return true;
        };
        parts.push_back(draw.pick_or(fits, {shape, x.dtype()}, Fill::Eighths));
    }
    return ops::list_of(ops::cat(std::move(parts), axis));
}

HandleList pad(Draw& draw) {
    const Handle x = anything(draw);
    Dims before, after;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        before.push_back(draw.random.below(3));
        after.push_back(draw.random.below(3));
    }
    if (x.shape().numel() > 5000) return {};
    return ops::list_of(
        ops::pad(x, before, after, static_cast<ops::PadMode>(draw.random.below(3)), draw.scalar(x.dtype())));
}

HandleList repeat(Draw& draw) {
    const Handle x = anything(draw);
    if (x.shape().numel() > 5000) return {};
    return ops::list_of(ops::repeat_dim(x, draw.axis_of(x), draw.random.between(0, 3)));
}

HandleList roll(Draw& draw) {
    const Handle x = anything(draw);
    return ops::list_of(ops::roll_dim(x, draw.axis_of(x), draw.random.between(-3, 3)));
}

HandleList split(Draw& draw) {
    const Handle x = anything(draw);
    return ops::chunk(x, 2, draw.axis_of(x));
}

HandleList triangle(Draw& draw) {
    const Handle x = anything(draw, 2);
    const std::int64_t offset = draw.random.between(-2, 2);
    return ops::list_of(draw.random.one_in(2) ? ops::tril(x, offset) : ops::triu(x, offset));
}

constexpr Drawer kDrawers[] = {
    {"reshape", 8, reshape},
    {"permute", 6, permute},
    {"expand", 5, expand},
    {"slice", 6, slice},
    {"flip", 3, flip},
    {"unfold", 3, unfold},
    {"slice_assign", 5, slice_assign},
    {"cat", 5, cat},
    {"pad", 3, pad},
    {"repeat", 3, repeat},
    {"roll", 2, roll},
    {"split", 2, split},
    {"triangle", 2, triangle},
};

}  // namespace

std::span<const Drawer> movement_drawers() { return kDrawers; }

}  // namespace burn::fuzz
