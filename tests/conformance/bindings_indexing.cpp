// Select, gather, scatter and their kin; sorts and top-k.
#include "tests/conformance/bindings.h"

#include <burn/ops/indexing.h>
#include <burn/ops/sort.h>
#include <burn/tensor/masked.h>

namespace burn::conformance {

namespace {

ops::IndexingUpdate update_of(const Call& c) {
    const std::string name = c.text("update");
    if (name == "Add") return ops::IndexingUpdate::Add;
    if (name == "Mul") return ops::IndexingUpdate::Mul;
    if (name == "Min") return ops::IndexingUpdate::Min;
    if (name == "Max") return ops::IndexingUpdate::Max;
    return ops::IndexingUpdate::Assign;
}

using Read = ops::Handle (*)(ops::Handle x, std::int64_t axis, ops::Handle at, const char* called);
using Write = ops::Handle (*)(ops::Handle x, std::int64_t axis, ops::Handle at, ops::Handle values,
                              ops::IndexingUpdate update, const char* called);

template <Read read>
ops::Handle call_read(Call& c, const char* name) {
    ops::Handle x = c.in(0);
    return read(std::move(x), c.integer("dim"), c.in(1), name);
}

template <Write write>
ops::Handle call_write(Call& c, const char* name) {
    ops::Handle x = c.in(0);
    ops::Handle at = c.in(1);
    return write(std::move(x), c.integer("dim"), std::move(at), c.in(2), update_of(c), name);
}

}  // namespace

void bind_indexing(Bindings& bindings) {
    bindings.add_one("select", [](Call& c) { return call_read<&ops::select>(c, "select"); });
    bindings.add_one("gather", [](Call& c) { return call_read<&ops::gather>(c, "gather"); });
    bindings.add_one("take", [](Call& c) { return call_read<&ops::take>(c, "take"); });
    bindings.add_one("select_assign", [](Call& c) { return call_write<&ops::select_assign>(c, "select_assign"); });
    bindings.add_one("scatter", [](Call& c) { return call_write<&ops::scatter>(c, "scatter"); });
    bindings.add_one("gather_nd", [](Call& c) {
        ops::Handle x = c.in(0);
        return ops::gather_nd(std::move(x), c.in(1));
    });
    bindings.add_one("scatter_nd", [](Call& c) {
        ops::Handle x = c.in(0);
        ops::Handle at = c.in(1);
        return ops::scatter_nd(std::move(x), std::move(at), c.in(2), update_of(c));
    });
    bindings.add_one("embedding", [](Call& c) {
        ops::Handle weight = c.in(0);
        return ops::embedding(std::move(weight), c.in(1));
    });

    bindings.add_one("mask_select", [](Call& c) {
        ops::Handle x = c.in(0);
        return detail::mask_select(std::move(x), c.in(1));
    });
    bindings.add_one("argwhere", [](Call& c) { return detail::argwhere(c.in(0)); });
    bindings.add("nonzero", [](Call& c) { return detail::nonzero(c.in(0)); });

    bindings.add_one("sort", [](Call& c) { return ops::sort(c.in(0), c.integer("dim")); });
    bindings.add_one("argsort", [](Call& c) { return ops::argsort(c.in(0), c.integer("dim")); });
    bindings.add("sort_with_indices", [](Call& c) { return ops::sort_with_indices(c.in(0), c.integer("dim")); });
    bindings.add_one("sort_descending", [](Call& c) { return ops::sort(c.in(0), c.integer("dim"), true); });
    bindings.add_one("argsort_descending", [](Call& c) { return ops::argsort(c.in(0), c.integer("dim"), true); });
    bindings.add("sort_descending_with_indices",
                 [](Call& c) { return ops::sort_with_indices(c.in(0), c.integer("dim"), true); });
    bindings.add_one("topk", [](Call& c) { return ops::topk(c.in(0), c.integer("dim"), c.integer("k")); });
    bindings.add_one("argtopk", [](Call& c) { return ops::argtopk(c.in(0), c.integer("dim"), c.integer("k")); });
    bindings.add("topk_with_indices",
                 [](Call& c) { return ops::topk_with_indices(c.in(0), c.integer("dim"), c.integer("k")); });
}

}  // namespace burn::conformance
