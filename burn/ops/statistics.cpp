#include <burn/ops/statistics.h>

#include <burn/ops/checks.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/slice.h>
#include <burn/ops/sort.h>

namespace burn::ops {

namespace {

HandleList with_values(Handle x, std::int64_t axis, Handle at) {
    Handle values = gather(std::move(x), axis, at);
    HandleList results;
    results.push_back(std::move(values));
    results.push_back(std::move(at));
    return results;
}

}  // namespace

HandleList max_with_indices(Handle x, std::int64_t axis) {
    Handle at = argmax(x, axis);
    return with_values(std::move(x), axis, std::move(at));
}

HandleList min_with_indices(Handle x, std::int64_t axis) {
    Handle at = argmin(x, axis);
    return with_values(std::move(x), axis, std::move(at));
}

HandleList median_with_indices(Handle x, std::int64_t axis) {
    const std::int64_t count = x.shape()[normalize_axis(axis, x.rank(), "median")];
    if (count == 0)
        raise(ErrorKind::Shape, Message() << "median: axis " << axis << " of " << x.shape()
                                          << " is empty; expected at least one element");
    Handle at = narrow(argsort(x, axis), axis, (count - 1) / 2, 1);
    if (is_float(x.dtype())) {
        // Sorts put NaN last; where there is one, argmax finds it.
        Handle first = argmax(x, axis);
        Handle found = is_nan(gather(x, axis, first));
        at = where(std::move(found), std::move(first), std::move(at));
    }
    return with_values(std::move(x), axis, std::move(at));
}

Handle cov(Handle x, std::int64_t axis, std::int64_t correction) {
    require_float(x.spec(), "cov");
    require_rank(x.spec(), 2, "cov", "operand");
    const std::size_t observations = normalize_axis(axis, 2, "cov");
    const double count = Var{{static_cast<std::int64_t>(observations)}, correction}.divisor(x.shape());
    Handle centred = sub(x, mean(x, {axis}));
    Handle turned = swap_dims(centred, 0, 1);
    Handle products = observations == 0 ? matmul(std::move(turned), std::move(centred))
                                        : matmul(std::move(centred), std::move(turned));
    return div_scalar(std::move(products), count);
}

Handle glu(Handle x, std::int64_t axis) {
    require_float(x.spec(), "glu");
    const std::int64_t count = x.shape()[normalize_axis(axis, x.rank(), "glu")];
    if (count % 2 != 0) {
        raise(ErrorKind::Shape,
              Message() << "glu: axis " << axis << " of " << x.shape() << " cannot be halved; expected an even size");
    }
    Handle gate = sigmoid(narrow(x, axis, count / 2, count / 2));
    return mul(narrow(std::move(x), axis, 0, count / 2), std::move(gate));
}

}  // namespace burn::ops
