// Views, slices, joins, pads, masks by place and grids.
#include "tests/conformance/bindings.h"

#include <burn/ops/create.h>
#include <burn/ops/grid.h>
#include <burn/ops/join.h>
#include <burn/ops/masks.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

namespace burn::conformance {

namespace {

void bind_views(Bindings& bindings) {
    bindings.add_one("reshape", [](Call& c) { return ops::reshape(c.in(0), c.dims("shape")); });
    bindings.add_one("swap_dims",
                     [](Call& c) { return ops::swap_dims(c.in(0), c.integer("dim1"), c.integer("dim2")); });
    bindings.add_one("transpose", [](Call& c) { return ops::swap_dims(c.in(0), -2, -1); });
    bindings.add_one("permute", [](Call& c) { return ops::permute(c.in(0), c.dims("axes")); });
    bindings.add_one("movedim", [](Call& c) { return ops::movedim(c.in(0), c.dims("src"), c.dims("dst")); });
    bindings.add_one("expand", [](Call& c) { return ops::expand(c.in(0), c.dims("shape")); });
    bindings.add_one("flatten", [](Call& c) { return ops::flatten(c.in(0), c.integer("start"), c.integer("end")); });
    bindings.add_one("squeeze", [](Call& c) { return ops::squeeze(c.in(0)); });
    bindings.add_one("squeeze_dim", [](Call& c) { return ops::squeeze_dims(c.in(0), {c.integer("dim")}); });
    bindings.add_one("squeeze_dims", [](Call& c) { return ops::squeeze_dims(c.in(0), c.dims("dims")); });
    bindings.add_one("unsqueeze",
                     [](Call& c) { return ops::unsqueeze_to(c.in(0), static_cast<std::size_t>(c.integer("rank"))); });
    bindings.add_one("unsqueeze_dim", [](Call& c) { return ops::unsqueeze_dim(c.in(0), c.integer("dim")); });
    bindings.add_one("unsqueeze_dims", [](Call& c) { return ops::unsqueeze_dims(c.in(0), c.dims("dims")); });
    bindings.add_one("flip", [](Call& c) { return ops::flip(c.in(0), c.dims("axes")); });
    bindings.add_one(
        "unfold", [](Call& c) { return ops::unfold(c.in(0), c.integer("dim"), c.integer("size"), c.integer("step")); });
}

void bind_slices(Bindings& bindings) {
    bindings.add_one("slice", [](Call& c) { return ops::slice(c.in(0), c.slices("ranges")); });
    bindings.add_one("slice_fill",
                     [](Call& c) { return ops::slice_fill(c.in(0), c.slices("ranges"), c.scalar("value")); });
    bindings.add_one("slice_assign", [](Call& c) {
        ops::Handle x = c.in(0);
        return ops::slice_assign(std::move(x), c.slices("ranges"), c.in(1));
    });
    bindings.add_one("slice_dim",
                     [](Call& c) { return ops::slice_dim(c.in(0), c.integer("dim"), parse_slice(c.arg("range"))); });
    bindings.add_one("narrow", [](Call& c) {
        return ops::narrow(c.in(0), c.integer("dim"), c.integer("start"), c.integer("length"));
    });
    bindings.add_one("select_dim",
                     [](Call& c) { return ops::select_dim(c.in(0), c.integer("dim"), c.integer("index")); });
    bindings.add("chunk", [](Call& c) { return ops::chunk(c.in(0), c.integer("chunks"), c.integer("dim")); });
    bindings.add("split", [](Call& c) { return ops::split(c.in(0), c.integer("split_size"), c.integer("dim")); });
    bindings.add("split_with_sizes", [](Call& c) {
        const Dims sizes = c.dims("sizes");
        return ops::split_with_sizes(c.in(0), {sizes.begin(), sizes.size()}, c.integer("dim"));
    });
}

ops::Handle pad(Call& c) {
    Dims before;
    Dims after;
    for (const auto& pair : c.arg("padding")) {
        before.push_back(pair.at(0).get<std::int64_t>());
        after.push_back(pair.at(1).get<std::int64_t>());
    }
    if (c.text("mode") == "Reflect") return ops::pad(c.in(0), before, after, ops::PadMode::Reflect);
    if (c.text("mode") == "Edge") return ops::pad(c.in(0), before, after, ops::PadMode::Edge);
    return ops::pad(c.in(0), before, after, ops::PadMode::Constant, c.scalar("value"));
}

void bind_joins(Bindings& bindings) {
    bindings.add_one("cat", [](Call& c) { return ops::cat(c.all_inputs(), c.integer("dim")); });
    bindings.add_one("stack", [](Call& c) { return ops::stack(c.all_inputs(), c.integer("dim")); });
    bindings.add_one("repeat", [](Call& c) { return ops::repeat(c.in(0), c.dims("sizes")); });
    bindings.add_one("repeat_dim",
                     [](Call& c) { return ops::repeat_dim(c.in(0), c.integer("dim"), c.integer("times")); });
    bindings.add_one("roll", [](Call& c) { return ops::roll(c.in(0), c.dims("shifts"), c.dims("dims")); });
    bindings.add_one("roll_dim", [](Call& c) { return ops::roll_dim(c.in(0), c.integer("dim"), c.integer("shift")); });
    bindings.add_one("pad", [](Call& c) { return pad(c); });
}

void bind_places(Bindings& bindings) {
    bindings.add_one("triu", [](Call& c) { return ops::triu(c.in(0), c.integer("diagonal")); });
    bindings.add_one("tril", [](Call& c) { return ops::tril(c.in(0), c.integer("diagonal")); });
    bindings.add_one("triu_mask",
                     [](Call& c) { return ops::triu_mask(c.engine(), c.dims("shape"), c.integer("offset")); });
    bindings.add_one("tril_mask",
                     [](Call& c) { return ops::tril_mask(c.engine(), c.dims("shape"), c.integer("offset")); });
    bindings.add_one("diag_mask",
                     [](Call& c) { return ops::diag_mask(c.engine(), c.dims("shape"), c.integer("offset")); });
    bindings.add_one("one_hot", [](Call& c) { return ops::one_hot(c.in(0), c.integer("num_classes")); });
    bindings.add_one("one_hot_fill", [](Call& c) {
        return ops::one_hot_fill(c.in(0), c.integer("num_classes"), c.scalar("on_value"), c.scalar("off_value"),
                                 c.integer("axis"), c.engine().default_float());
    });
    bindings.add_one("eye",
                     [](Call& c) { return ops::eye(c.engine(), c.integer("size"), c.engine().default_float()); });
    bindings.add_one("full", [](Call& c) {
        return ops::full(c.engine(), c.dims("shape"), c.engine().default_float(), c.scalar("value"));
    });
    bindings.add_one("arange", [](Call& c) { return ops::arange(c.engine(), c.integer("start"), c.integer("end")); });
    bindings.add_one("arange_step", [](Call& c) {
        return ops::arange(c.engine(), c.integer("start"), c.integer("end"), c.integer("step"));
    });
    bindings.add_one("cartesian_grid", [](Call& c) { return ops::cartesian_grid(c.engine(), c.dims("shape")); });
    bindings.add("meshgrid", [](Call& c) {
        const auto indexing = c.text("indexing") == "Matrix" ? ops::GridIndexing::Matrix : ops::GridIndexing::Cartesian;
        const auto sparsity = c.text("sparsity") == "Dense" ? ops::GridSparsity::Dense : ops::GridSparsity::Sparse;
        return ops::meshgrid(c.all_inputs(), indexing, sparsity);
    });
    bindings.add_one("meshgrid_stack", [](Call& c) {
        return ops::meshgrid_stack(c.all_inputs(), c.text("index_pos") == "First" ? 0 : -1);
    });
}

}  // namespace

void bind_shape(Bindings& bindings) {
    bind_views(bindings);
    bind_slices(bindings);
    bind_joins(bindings);
    bind_places(bindings);
}

}  // namespace burn::conformance
