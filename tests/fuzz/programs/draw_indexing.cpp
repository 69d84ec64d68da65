#include "tests/fuzz/programs/draw.h"

#include <burn/ops/all_ops.h>

namespace burn::fuzz {

namespace {

using ops::Handle;
using ops::HandleList;

/// Something with elements along every axis.
Handle filled(Draw& draw) {
    return draw.pick_or([](const Handle& it) { return it.shape().numel() > 0 && it.shape().numel() <= 20000; },
                        {Shape{draw.random.between(1, 9), draw.random.between(1, 17)}, draw.any_type()}, Fill::Eighths);
}

Handle values_for(Draw& draw, const Shape& shape, DType dtype) {
    return draw.pick_or([&](const Handle& it) { return it.dtype() == dtype && it.shape() == shape; }, {shape, dtype},
                        Fill::Eighths);
}

Shape with_axis(Shape shape, std::int64_t axis, std::int64_t size) {
    shape[static_cast<std::size_t>(axis)] = size;
    return shape;
}

HandleList gather(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t axis = draw.axis_of(x), bound = x.shape()[static_cast<std::size_t>(axis)];
    const Shape shape = with_axis(x.shape(), axis, draw.random.between(0, 2 * std::min<std::int64_t>(bound, 20)));
    return ops::list_of(ops::gather(x, axis, draw.indices(shape, bound)));
}

HandleList scatter(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t axis = draw.random.one_in(2) ? static_cast<std::int64_t>(x.rank()) - 1 : draw.axis_of(x);
    const std::int64_t bound = x.shape()[static_cast<std::size_t>(axis)];
    const bool last = static_cast<std::size_t>(axis) + 1 == x.rank();
    // Only along the last axis do rows of distinct indices name no place twice.
    const bool assigns = last && draw.random.one_in(2);
    const Shape shape = with_axis(x.shape(), axis, draw.random.between(1, bound));
    const Handle at = draw.indices(shape, bound, assigns);
    return ops::list_of(ops::scatter(x, axis, at, values_for(draw, shape, x.dtype()),
                                     assigns ? ops::IndexingUpdate::Assign : ops::IndexingUpdate::Add));
}

HandleList select(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t axis = draw.axis_of(x), bound = x.shape()[static_cast<std::size_t>(axis)];
    return ops::list_of(ops::select(x, axis, draw.indices({draw.random.between(0, 9)}, bound)));
}

HandleList select_assign(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t axis = draw.axis_of(x), bound = x.shape()[static_cast<std::size_t>(axis)];
    const std::int64_t count = draw.random.between(1, std::min<std::int64_t>(bound, 9));
    const bool assigns = draw.random.one_in(2);
    const Handle at = draw.indices({count}, bound, assigns);
    return ops::list_of(ops::select_assign(x, axis, at, values_for(draw, with_axis(x.shape(), axis, count), x.dtype()),
                                           assigns ? ops::IndexingUpdate::Assign : ops::IndexingUpdate::Add));
}

/// Indices of the leading `k` axes of x, [rows, k]; distinct in their first column, if that is wanted.
Handle places(Draw& draw, const Handle& x, std::int64_t rows, std::int64_t k, bool distinct) {
    HandleList columns;
    for (std::int64_t i = 0; i < k; ++i) {
        columns.push_back(draw.input({Shape{rows}, DType::I64}, distinct && i == 0 ? Fill::Distinct : Fill::Indices,
                                     x.shape()[static_cast<std::size_t>(i)]));
    }
    return ops::stack(std::move(columns), 1);
}

Shape rows_shape(const Handle& x, std::int64_t rows, std::int64_t k) {
    Shape shape{rows};
    for (auto i = static_cast<std::size_t>(k); i < x.rank(); ++i) shape.push_back(x.shape()[i]);
    return shape;
}

HandleList gather_nd(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t k = draw.random.between(1, static_cast<std::int64_t>(x.rank()));
    return ops::list_of(ops::gather_nd(x, places(draw, x, draw.random.between(1, 7), k, false)));
}

HandleList scatter_nd(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t k = draw.random.between(1, static_cast<std::int64_t>(x.rank()));
    const std::int64_t rows = draw.random.between(1, std::min<std::int64_t>(7, x.shape()[0]));
    const Handle at = places(draw, x, rows, k, true);
    return ops::list_of(
        ops::scatter_nd(x, at, values_for(draw, rows_shape(x, rows, k), x.dtype()), ops::IndexingUpdate::Add));
}

HandleList take(Draw& draw) {
    const Handle x = filled(draw);
    const std::int64_t axis = draw.axis_of(x);
    if (x.rank() > 3) return {};
    return ops::list_of(
        ops::take(x, axis, draw.indices({2, draw.random.between(1, 5)}, x.shape()[static_cast<std::size_t>(axis)])));
}

constexpr Drawer kDrawers[] = {
    {"gather", 3, gather},       {"scatter", 3, scatter},
    {"select", 4, select},       {"select_assign", 3, select_assign},
    {"gather_nd", 2, gather_nd}, {"scatter_nd", 2, scatter_nd},
    {"take", 1, take},
};

}  // namespace

std::span<const Drawer> indexing_drawers() { return kDrawers; }

}  // namespace burn::fuzz
