#include <burn/ops/closeness.h>

#include <burn/ops/checks.h>
#include <burn/ops/functions.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

Handle is_close(Handle a, Handle b, double rtol, double atol) {
    require_float(a.spec(), "is_close");
    require_same_dtype(a.spec(), b.spec(), "is_close");
    broadcast_shapes(a.shape(), b.shape(), "is_close");
    // An infinite bound would let every number pass beside an infinity.
    Handle near = lower_equal(abs(sub(a, b)), add_scalar(mul_scalar(abs(b), rtol), atol));
    Handle same = equal(std::move(a), b);
    return bool_or(bool_and(std::move(near), is_finite(std::move(b))), std::move(same));
}

Handle all_close(Handle a, Handle b, double rtol, double atol) {
    return over_all(&all, is_close(std::move(a), std::move(b), rtol, atol));
}

Handle contains_nan(Handle x) { return over_all(&any, is_nan(std::move(x))); }

}  // namespace burn::ops
