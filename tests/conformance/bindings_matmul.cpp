// Products.
#include "tests/conformance/bindings.h"

#include <burn/ops/functions.h>
#include <burn/ops/linear.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

namespace burn::conformance {

void bind_matmul(Bindings& bindings) {
    bindings.add_one("matmul", [](Call& c) {
        ops::Handle lhs = c.in(0);
        ops::Handle rhs = c.in(1);
        if (c.flag("transpose_lhs")) lhs = ops::swap_dims(std::move(lhs), -2, -1);
        if (c.flag("transpose_rhs")) rhs = ops::swap_dims(std::move(rhs), -2, -1);
        return ops::matmul(std::move(lhs), std::move(rhs));
    });
    bindings.add_one("dot", [](Call& c) {
        ops::Handle lhs = c.in(0);
        return ops::sum(ops::mul(std::move(lhs), c.in(1)), {0});
    });
    bindings.add_one("linear", [](Call& c) {
        ops::Handle x = c.in("x");
        ops::Handle weight = c.in("weight");
        if (!c.has_input("bias")) return ops::linear(std::move(x), std::move(weight));
        return ops::linear(std::move(x), std::move(weight), c.in("bias"));
    });
}

}  // namespace burn::conformance
