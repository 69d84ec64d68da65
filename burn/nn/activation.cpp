#include <burn/nn/activation.h>

#include <burn/ops/slice.h>

namespace burn::nn::detail {

ops::Handle glu(ops::Handle x, std::int64_t dim) {
    const std::size_t axis = normalize_axis(dim, x.rank(), "glu");
    const std::int64_t size = x.shape()[axis];
    if (size % 2 != 0) {
        raise(ErrorKind::Shape, Message() << "glu: axis " << axis << " of " << x.shape() << " has an odd size");
    }
    const auto at = static_cast<std::int64_t>(axis);
    ops::Handle gate = ops::narrow(x, at, size / 2, size / 2);
    return ops::mul(ops::narrow(std::move(x), at, 0, size / 2), ops::sigmoid(std::move(gate)));
}

ops::Handle rrelu(ops::Handle x, double lower, double upper) {
    const ops::Handle slopes = ops::random_like(x, Distribution::uniform(lower, upper));
    const ops::Handle negative = ops::lower_scalar(x, 0);
    return ops::where(negative, ops::mul(x, slopes), x);
}

}  // namespace burn::nn::detail
