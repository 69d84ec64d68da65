// Reductions over one axis, several or all; cumulative forms.
#include "tests/conformance/bindings.h"

#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/scan.h>
#include <burn/ops/statistics.h>

namespace burn::conformance {

namespace {

using Reduction = ops::Handle (*)(ops::Handle x, Dims axes);

/// name: all elements; name_dim: one axis.
template <Reduction reduce>
void bind_all_and_dim(Bindings& bindings, const char* all, const char* one) {
    bindings.add_one(all, [](Call& c) { return ops::over_all(reduce, c.in(0)); });
    bindings.add_one(one, [](Call& c) { return reduce(c.in(0), {c.integer("dim")}); });
}

template <Reduction reduce>
void bind_dims(Bindings& bindings, const char* several) {
    bindings.add_one(several, [](Call& c) { return reduce(c.in(0), c.dims("dims")); });
}

template <std::int64_t correction>
ops::HandleList var_mean(Call& c) {
    const ops::Handle x = c.in(0);
    return ops::list_of(ops::var(x, {c.integer("dim")}, correction), ops::mean(x, {c.integer("dim")}));
}

}  // namespace

void bind_reduce(Bindings& bindings) {
    bind_all_and_dim<&ops::sum>(bindings, "sum", "sum_dim");
    bind_all_and_dim<&ops::mean>(bindings, "mean", "mean_dim");
    bind_all_and_dim<&ops::prod>(bindings, "prod", "prod_dim");
    bind_all_and_dim<&ops::max>(bindings, "max", "max_dim");
    bind_all_and_dim<&ops::min>(bindings, "min", "min_dim");
    bind_all_and_dim<&ops::max_abs>(bindings, "max_abs", "max_abs_dim");
    bind_all_and_dim<&ops::any>(bindings, "any", "any_dim");
    bind_all_and_dim<&ops::all>(bindings, "all", "all_dim");
    bind_dims<&ops::sum>(bindings, "sum_dims");
    bind_dims<&ops::mean>(bindings, "mean_dims");
    bind_dims<&ops::prod>(bindings, "prod_dims");
    bind_dims<&ops::max>(bindings, "max_dims");
    bind_dims<&ops::min>(bindings, "min_dims");
    bind_dims<&ops::max_abs>(bindings, "max_abs_dims");
    bindings.add_one("sum_dims_squeeze",
                     [](Call& c) { return ops::squeeze_dims(ops::sum(c.in(0), c.dims("dims")), c.dims("dims")); });
    bindings.add_one("argmax", [](Call& c) { return ops::argmax(c.in(0), c.integer("dim")); });
    bindings.add_one("argmin", [](Call& c) { return ops::argmin(c.in(0), c.integer("dim")); });
    bindings.add("max_dim_with_indices", [](Call& c) { return ops::max_with_indices(c.in(0), c.integer("dim")); });
    bindings.add("min_dim_with_indices", [](Call& c) { return ops::min_with_indices(c.in(0), c.integer("dim")); });
    bindings.add_one("var", [](Call& c) { return ops::var(c.in(0), {c.integer("dim")}, 1); });
    bindings.add_one("var_bias", [](Call& c) { return ops::var(c.in(0), {c.integer("dim")}, 0); });
    bindings.add("var_mean", &var_mean<1>);
    bindings.add("var_mean_bias", &var_mean<0>);

    bindings.add_one("median", [](Call& c) { return ops::median_with_indices(c.in(0), c.integer("dim"))[0]; });
    bindings.add("median_with_indices", [](Call& c) { return ops::median_with_indices(c.in(0), c.integer("dim")); });
    bindings.add_one("cov",
                     [](Call& c) { return ops::cov(c.in(0), c.integer("dim"), c.integer("correction_factor")); });

    bindings.add_one("cumsum", [](Call& c) { return ops::cumsum(c.in(0), c.integer("dim")); });
    bindings.add_one("cumprod", [](Call& c) { return ops::cumprod(c.in(0), c.integer("dim")); });
    bindings.add_one("cummax", [](Call& c) { return ops::cummax(c.in(0), c.integer("dim")); });
    bindings.add_one("cummin", [](Call& c) { return ops::cummin(c.in(0), c.integer("dim")); });
}

}  // namespace burn::conformance
