// Pools.
#include "tests/conformance/bindings.h"

#include <burn/ops/pool.h>

namespace burn::conformance {

namespace {

ops::PoolOptions options_of(const Call& c) {
    ops::PoolOptions options{.kernel = c.dims("kernel_size"), .stride = c.dims("stride"), .padding = c.dims("padding")};
    options.ceil_mode = c.flag("ceil_mode");
    if (c.has("dilation")) options.dilation = c.dims("dilation");
    if (c.has("count_include_pad")) options.count_include_pad = c.flag("count_include_pad");
    return options;
}

}  // namespace

void bind_pool(Bindings& bindings) {
    for (const char* name : {"max_pool1d", "max_pool2d"}) {
        bindings.add_one(name, [](Call& c) { return ops::max_pool(c.in(0), options_of(c)); });
    }
    for (const char* name : {"max_pool1d_with_indices", "max_pool2d_with_indices"}) {
        bindings.add(name, [](Call& c) { return ops::max_pool_with_indices(c.in(0), options_of(c)); });
    }
    for (const char* name : {"avg_pool1d", "avg_pool2d"}) {
        bindings.add_one(name, [](Call& c) { return ops::avg_pool(c.in(0), options_of(c)); });
    }
    for (const char* name : {"adaptive_avg_pool1d", "adaptive_avg_pool2d"}) {
        bindings.add_one(name, [](Call& c) { return ops::adaptive_avg_pool(c.in(0), c.dims("output_size")); });
    }
}

}  // namespace burn::conformance
