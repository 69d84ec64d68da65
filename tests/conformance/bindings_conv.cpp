// Convolutions.
#include "tests/conformance/bindings.h"

#include <burn/ops/conv.h>
#include <burn/ops/spatial.h>

namespace burn::conformance {

namespace {

/// Padding is a number for each axis, or a pair of them.
ops::ConvOptions options_of(const Call& c) {
    ops::ConvOptions options{.stride = c.dims("stride"), .dilation = c.dims("dilation"), .groups = c.integer("groups")};
    for (const auto& padding : c.arg("padding")) {
        options.padding.push_back(padding.is_array() ? padding.at(0).get<std::int64_t>() : padding.get<std::int64_t>());
        options.padding_behind.push_back(padding.is_array() ? padding.at(1).get<std::int64_t>()
                                                            : padding.get<std::int64_t>());
    }
    return options;
}

ops::Handle conv(Call& c) {
    ops::Handle x = c.in("x");
    ops::Handle weight = c.in("weight");
    if (!c.has_input("bias")) return ops::conv(std::move(x), std::move(weight), options_of(c));
    return ops::conv(std::move(x), std::move(weight), c.in("bias"), options_of(c));
}

}  // namespace

void bind_conv(Bindings& bindings) {
    bindings.add_one("conv1d", [](Call& c) { return conv(c); });
    bindings.add_one("conv2d", [](Call& c) { return conv(c); });
    bindings.add_one("conv2d_weight_backward", [](Call& c) {
        const ops::Handle weight = c.in("weight");
        ops::Handle x = c.in("x");
        return ops::conv_weight_grad(std::move(x), c.in("output_grad"), options_of(c),
                                     ops::spatial_sizes(weight.shape()));
    });
}

}  // namespace burn::conformance
