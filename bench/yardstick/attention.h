// Attention of the operations there are: a product, a softmax, a product.
#pragma once

#include <burn/ops/functions.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/softmax.h>

#include <cmath>

namespace burn::bench {

/// softmax(q k^T / sqrt(d)) v.
///
/// Shapes    q, k, v [batch, heads, n, d], later [1, 1, n, n] true where a position must not look, or empty -> [batch, heads, n, d]
inline ops::Handle attend(ops::Handle q, ops::Handle k, ops::Handle v, ops::Handle later) {
    const double scale = 1 / std::sqrt(static_cast<double>(q.shape().back()));
    ops::Handle weights = ops::mul_scalar(ops::matmul(std::move(q), ops::swap_dims(std::move(k), -2, -1)), scale);
    if (later) weights = ops::mask_fill(std::move(later), std::move(weights), -INFINITY);
    return ops::matmul(ops::softmax(std::move(weights), -1), std::move(v));
}

}  // namespace burn::bench
