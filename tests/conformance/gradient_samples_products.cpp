#include "tests/conformance/gradient_samples.h"

#include <burn/ops/linear.h>
#include <burn/ops/matmul.h>

namespace burn::conformance {

void sample_products(GradientSamples& samples) {
    samples.push_back({"matmul", ops::MatMul{}, {reals({3, 5}), reals({5, 2}, -2, 2, 2)}});
    samples.push_back(
        {"matmul of broadcast batches", ops::MatMul{}, {reals({3, 1, 2, 4}), reals({1, 2, 4, 3}, -2, 2, 2)}});
    samples.push_back({"matmul of nothing", ops::MatMul{}, {reals({3, 0}), reals({0, 2})}});
    samples.push_back({"linear", ops::Linear{}, {reals({2, 3, 4}), reals({4, 5}, -2, 2, 2), reals({5}, -2, 2, 3)}});
    samples.push_back({"linear without bias", ops::Linear{}, {reals({3, 4}), reals({4, 2}, -2, 2, 2)}});
}

}  // namespace burn::conformance
