#include <burn/nn/loss/reduction.h>

#include <burn/ops/functions.h>
#include <burn/ops/reduce.h>

namespace burn::nn::loss {

ops::Handle reduce(ops::Handle losses, Reduction reduction) {
    switch (reduction) {
        case Reduction::Sum: return ops::sum_all(std::move(losses));
        case Reduction::BatchMean: {
            const auto items = static_cast<double>(losses.shape()[0]);
            return ops::div_scalar(ops::sum_all(std::move(losses)), items);
        }
        case Reduction::Mean:
        case Reduction::Auto: break;
    }
    return ops::over_all(ops::mean, std::move(losses));
}

}  // namespace burn::nn::loss
