// Norms.
#include "tests/conformance/bindings.h"

#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/norm.h>
#include <burn/ops/reduce.h>

namespace burn::conformance {

namespace {

/// old + momentum (batch - old).
ops::Handle running(ops::Handle old, ops::Handle batch, double momentum) {
    return ops::add(ops::mul_scalar(std::move(old), 1 - momentum), ops::mul_scalar(std::move(batch), momentum));
}

/// Normalises by the batch's own statistics and mixes them into the running ones.
ops::HandleList batch_norm_train(Call& c) {
    const ops::Handle x = c.in("x");
    Dims axes;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        if (axis != 1) axes.push_back(static_cast<std::int64_t>(axis));
    }
    const Shape channels{x.shape()[1]};
    const ops::Handle mean = ops::reshape(ops::mean(x, axes), channels);
    const ops::Handle var = ops::reshape(ops::var(x, axes, 0), channels);
    ops::Handle gamma = c.in("gamma");
    ops::Handle beta = c.in("beta");
    const double momentum = c.number("momentum");
    return ops::list_of(ops::batch_norm(x, std::move(gamma), std::move(beta), mean, var, c.number("epsilon")),
                        running(c.in("mean"), mean, momentum), running(c.in("var"), var, momentum));
}

}  // namespace

void bind_norm(Bindings& bindings) {
    bindings.add_one("layer_norm", [](Call& c) {
        ops::Handle x = c.in("x");
        ops::Handle gamma = c.in("gamma");
        if (!c.has_input("beta")) return ops::layer_norm(std::move(x), std::move(gamma), c.number("epsilon"));
        return ops::layer_norm(std::move(x), std::move(gamma), c.in("beta"), c.number("epsilon"));
    });
    bindings.add_one("batch_norm", [](Call& c) {
        ops::Handle x = c.in("x");
        ops::Handle gamma = c.in("gamma");
        ops::Handle beta = c.in("beta");
        ops::Handle mean = c.in("mean");
        return ops::batch_norm(std::move(x), std::move(gamma), std::move(beta), std::move(mean), c.in("var"),
                               c.number("epsilon"));
    });
    bindings.add("batch_norm_train", &batch_norm_train);
}

}  // namespace burn::conformance
