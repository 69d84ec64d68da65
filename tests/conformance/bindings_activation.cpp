// Activations that are lines of the pointwise table under another name, or with arguments that are not its scalars.
#include "tests/conformance/bindings.h"

#include <burn/ops/functions.h>
#include <burn/ops/linear.h>
#include <burn/ops/movement.h>
#include <burn/ops/statistics.h>

namespace burn::conformance {

namespace {

/// One alpha a channel: axis 1, or the only axis.
ops::Handle prelu_by_channel(ops::Handle x, ops::Handle alpha) {
    Shape shape = Dims::filled(x.rank(), 1);
    shape[x.rank() > 1 ? 1 : 0] = alpha.shape()[0];
    return ops::prelu(std::move(x), ops::reshape(std::move(alpha), shape));
}

/// silu(inner(x)) outer(x), as nn::SwiGlu composes it.
ops::Handle swi_glu(Call& c) {
    const ops::Handle x = c.in("x");
    const auto map = [&](const char* weight, const char* bias) {
        ops::Handle w = c.in(weight);
        return c.has_input(bias) ? ops::linear(x, std::move(w), c.in(bias)) : ops::linear(x, std::move(w));
    };
    ops::Handle gate = ops::silu(map("inner_weight", "inner_bias"));
    return ops::mul(std::move(gate), map("outer_weight", "outer_bias"));
}

}  // namespace

void bind_activation(Bindings& bindings) {
    bindings.add_one("relu6", [](Call& c) { return ops::clamp(c.in(0), 0, 6); });
    bindings.add_one("thresholded_relu", [](Call& c) { return ops::threshold(c.in(0), c.scalar("alpha"), 0); });
    bindings.add_one("hardtanh", [](Call& c) { return ops::clamp(c.in(0), c.scalar("min"), c.scalar("max")); });
    bindings.add_one("hard_shrink", [](Call& c) { return ops::shrink(c.in(0), c.scalar("lambda"), 0); });
    bindings.add_one("soft_shrink",
                     [](Call& c) { return ops::shrink(c.in(0), c.scalar("lambda"), c.scalar("lambda")); });
    bindings.add_one("rrelu_inference",
                     [](Call& c) { return ops::leaky_relu(c.in(0), (c.number("lower") + c.number("upper")) / 2); });
    bindings.add_one("glu", [](Call& c) { return ops::glu(c.in(0), c.integer("dim")); });
    bindings.add_one("swi_glu", [](Call& c) { return swi_glu(c); });
    bindings.add_one("prelu", [](Call& c) {
        ops::Handle x = c.in("x");
        return prelu_by_channel(std::move(x), c.in("alpha"));
    });
}

}  // namespace burn::conformance
