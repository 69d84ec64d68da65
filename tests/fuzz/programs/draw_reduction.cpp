#include "tests/fuzz/programs/draw.h"

#include <burn/ops/all_ops.h>

namespace burn::fuzz {

namespace {

using ops::Handle;
using ops::HandleList;

/// Numbers, with no axis of no elements where extrema are wanted.
Handle numbers(Draw& draw, double most, bool filled = false) {
    const bool whole = draw.random.one_in(4);
    return draw.pick_or(
        [&](const Handle& it) {
            return is_numeric(it.dtype()) && (is_int(it.dtype()) || draw.moderate(it, most)) &&
                   (!filled || it.shape().numel() > 0);
        },
        {draw.any_shape(), whole ? draw.int_type() : draw.float_type()},
        draw.random.one_in(2) ? Fill::Eighths : Fill::Reals);
}

Dims axes(Draw& draw, const Handle& x) {
    if (!draw.random.one_in(3)) return {draw.axis_of(x)};
    Dims result;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (draw.random.one_in(2)) result.push_back(static_cast<std::int64_t>(i));
    }
    return result;
}

HandleList sum(Draw& draw) {
    const Handle x = numbers(draw, 100);
    return ops::list_of(ops::sum(x, axes(draw, x)));
}
HandleList mean(Draw& draw) {
    const Handle x = numbers(draw, 100);
    return ops::list_of(ops::mean(x, axes(draw, x)));
}
HandleList prod(Draw& draw) {
    const Handle x = numbers(draw, 2);
    return ops::list_of(ops::prod(x, axes(draw, x)));
}
HandleList extremum(Draw& draw) {
    const Handle x = numbers(draw, 1000);
    const Dims over = axes(draw, x);
    return ops::list_of(draw.random.one_in(2) ? ops::max(x, over) : ops::min(x, over));
}
HandleList place_of_extremum(Draw& draw) {
    const Handle x = numbers(draw, 1000, true);
    const std::int64_t axis = draw.axis_of(x);
    return ops::list_of(draw.random.one_in(2) ? ops::argmax(x, axis) : ops::argmin(x, axis));
}
HandleList truth(Draw& draw) {
    const Handle x = draw.pick_or([](const Handle& it) { return it.dtype() == DType::Bool; },
                                  {draw.any_shape(), DType::Bool}, Fill::Eighths);
    const Dims over = axes(draw, x);
    return ops::list_of(draw.random.one_in(2) ? ops::any(x, over) : ops::all(x, over));
}
HandleList variance(Draw& draw) {
    const Handle x = draw.pick_float();
    return ops::list_of(ops::var(x, axes(draw, x), draw.random.below(2)));
}
HandleList cumulative(Draw& draw) {
    const bool product = draw.random.one_in(4);
    const Handle x = numbers(draw, product ? 2 : 100, true);
    const std::int64_t axis = draw.axis_of(x);
    if (product) return ops::list_of(ops::cumprod(x, axis));
    if (draw.random.one_in(2)) return ops::list_of(ops::cumsum(x, axis));
    return draw.random.one_in(2) ? ops::cummax_with_indices(x, axis) : ops::cummin_with_indices(x, axis);
}
HandleList others(Draw& draw) {
    const Handle x = draw.pick_or([&](const Handle& it) { return is_float(it.dtype()) && draw.moderate(it, 2); },
                                  {draw.any_shape(), draw.float_type()}, Fill::Unit);
    ops::ProdOfOthers op;
    op.axes = {draw.axis_of(x)};
    return ops::apply(op, ops::list_of(Handle(x)));
}
HandleList sort(Draw& draw) {
    const Handle x = numbers(draw, 1000, true);
    const std::int64_t axis = draw.axis_of(x);
    if (draw.random.one_in(3))
        return ops::topk_with_indices(x, axis, draw.random.between(1, x.shape()[static_cast<std::size_t>(axis)]));
    return ops::sort_with_indices(x, axis, draw.random.one_in(2));
}

constexpr Drawer kDrawers[] = {
    {"sum", 12, sum},
    {"mean", 8, mean},
    {"prod", 3, prod},
    {"extremum", 8, extremum},
    {"place", 3, place_of_extremum},
    {"truth", 3, truth},
    {"var", 4, variance},
    {"cumulative", 5, cumulative},
    {"others", 1, others},
    {"sort", 3, sort},
};

}  // namespace

std::span<const Drawer> reduction_drawers() { return kDrawers; }

}  // namespace burn::fuzz
