// What the pointwise table calls by another name, or composes.
#include "tests/conformance/bindings.h"

#include <burn/ops/cast.h>
#include <burn/ops/closeness.h>
#include <burn/ops/functions.h>

namespace burn::conformance {

namespace {

/// Powers of floating numbers are powf, whatever the type of the exponent.
ops::Handle power(ops::Handle base, ops::Handle exponent) {
    if (!is_float(base.dtype())) return ops::powi(base, exponent);
    return ops::powf(base, ops::cast(exponent, base.dtype()));
}

}  // namespace

void bind_pointwise(Bindings& bindings) {
    bindings.add_one("powi", [](Call& c) {
        ops::Handle base = c.in(0);
        return power(std::move(base), c.in(1));
    });
    bindings.add_one("powi_scalar", [](Call& c) {
        ops::Handle base = c.in(0);
        const bool floating = is_float(base.dtype());
        return floating ? ops::powf_scalar(std::move(base), c.scalar("scalar"))
                        : ops::powi_scalar(std::move(base), c.scalar("scalar"));
    });
    bindings.add_one("bool", [](Call& c) { return ops::cast(c.in(0), DType::Bool); });
    bindings.add_one("int", [](Call& c) { return ops::cast(c.in(0), c.engine().default_int()); });
    bindings.add_one("float", [](Call& c) { return ops::cast(c.in(0), c.engine().default_float()); });
    bindings.add_one("cast", [](Call& c) { return ops::cast(c.in(0), parse_dtype(c.text("to"))); });
    bindings.add_one("is_close", [](Call& c) {
        ops::Handle lhs = c.in(0);
        return ops::is_close(std::move(lhs), c.in(1), c.number("rtol"), c.number("atol"));
    });
    bindings.add_one("all_close", [](Call& c) {
        ops::Handle lhs = c.in(0);
        return ops::all_close(std::move(lhs), c.in(1), c.number("rtol"), c.number("atol"));
    });
    bindings.add_one("contains_nan", [](Call& c) { return ops::contains_nan(c.in(0)); });
    bindings.add_one("mask_where", [](Call& c) {
        ops::Handle x = c.in(0);
        ops::Handle mask = c.in(1);
        return ops::where(std::move(mask), c.in(2), std::move(x));
    });
    bindings.add_one("mask_fill", [](Call& c) {
        ops::Handle x = c.in(0);
        return ops::mask_fill(c.in(1), std::move(x), c.scalar("value"));
    });
}

}  // namespace burn::conformance
