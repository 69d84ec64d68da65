#include <burn/nn/activation.h>

namespace burn::nn::detail {

ops::Handle rrelu(ops::Handle x, double lower, double upper) {
    const ops::Handle slopes = ops::random_like(x, Distribution::uniform(lower, upper));
    const ops::Handle negative = ops::lower_scalar(x, 0);
    return ops::where(negative, ops::mul(x, slopes), x);
}

}  // namespace burn::nn::detail
