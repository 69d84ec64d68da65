#pragma once

#include <burn/ops/attention.h>
#include <burn/ops/conv.h>
#include <burn/ops/indexing.h>
#include <burn/ops/linear.h>
#include <burn/ops/norm.h>
#include <burn/ops/pool.h>
#include <burn/tensor/tensor.h>

/// The functions that layers are made of, for use without a layer.
namespace burn {

using AttentionOptions = ops::AttentionOptions;
using ConvOptions = ops::ConvOptions;
using PoolOptions = ops::PoolOptions;

/// x weight + bias over the last axis.
///
/// Shapes    x [.., in], weight [in, out], bias [out] -> [.., out]
template <Backend B, std::size_t D>
Tensor<B, D> linear(Tensor<B, D> x, Tensor<B, 2> weight) {
    return Tensor<B, D>(ops::linear(std::move(x).handle(), std::move(weight).handle()));
}
template <Backend B, std::size_t D>
Tensor<B, D> linear(Tensor<B, D> x, Tensor<B, 2> weight, Tensor<B, 1> bias) {
    return Tensor<B, D>(ops::linear(std::move(x).handle(), std::move(weight).handle(), std::move(bias).handle()));
}

/// Convolution over one axis (cross-correlation); see ops::Conv for the options.
///
/// Shapes    x [batch, C, n], weight [out, C / groups, kernel], bias [out] -> [batch, out, n']
/// Errors    ShapeError when sizes do not fit; ArgumentError for options that make no sense
template <Backend B>
Tensor<B, 3> conv1d(Tensor<B, 3> x, Tensor<B, 3> weight, const ConvOptions& options = {}) {
    return Tensor<B, 3>(ops::conv(std::move(x).handle(), std::move(weight).handle(), options));
}
template <Backend B>
Tensor<B, 3> conv1d(Tensor<B, 3> x, Tensor<B, 3> weight, Tensor<B, 1> bias, const ConvOptions& options = {}) {
    return Tensor<B, 3>(
        ops::conv(std::move(x).handle(), std::move(weight).handle(), std::move(bias).handle(), options));
}

/// Convolution over two axes.
///
/// Shapes    x [batch, C, h, w], weight [out, C / groups, kernel_h, kernel_w], bias [out] -> [batch, out, h', w']
/// Errors    as conv1d
template <Backend B>
Tensor<B, 4> conv2d(Tensor<B, 4> x, Tensor<B, 4> weight, const ConvOptions& options = {}) {
    return Tensor<B, 4>(ops::conv(std::move(x).handle(), std::move(weight).handle(), options));
}
template <Backend B>
Tensor<B, 4> conv2d(Tensor<B, 4> x, Tensor<B, 4> weight, Tensor<B, 1> bias, const ConvOptions& options = {}) {
    return Tensor<B, 4>(
        ops::conv(std::move(x).handle(), std::move(weight).handle(), std::move(bias).handle(), options));
}

/// Gradient of conv2d with respect to its weight.
///
/// Shapes    x [batch, C, h, w], weight as of conv2d (only its shape matters), dy as conv2d's result -> as weight
template <Backend B>
Tensor<B, 4> conv2d_weight_backward(Tensor<B, 4> x, const Tensor<B, 4>& weight, Tensor<B, 4> dy,
                                    const ConvOptions& options = {}) {
    const Shape shape = weight.shape();
    return Tensor<B, 4>(
        ops::conv_weight_grad(std::move(x).handle(), std::move(dy).handle(), options, {shape[2], shape[3]}));
}

/// Largest element of windows; see ops::PoolOptions.
///
/// Shapes    x [batch, C, n] -> [batch, C, n']
/// Errors    ShapeError when sizes do not fit; ArgumentError for options that make no sense
template <Backend B>
Tensor<B, 3> max_pool1d(Tensor<B, 3> x, const PoolOptions& options) {
    return Tensor<B, 3>(ops::max_pool(std::move(x).handle(), options));
}
/// Shapes    x [batch, C, h, w] -> [batch, C, h', w']
template <Backend B>
Tensor<B, 4> max_pool2d(Tensor<B, 4> x, const PoolOptions& options) {
    return Tensor<B, 4>(ops::max_pool(std::move(x).handle(), options));
}
/// The same, and where in its channel plane each is.
template <Backend B>
std::pair<Tensor<B, 3>, Tensor<B, 3, Int>> max_pool1d_with_indices(Tensor<B, 3> x, const PoolOptions& options) {
    ops::HandleList results = ops::max_pool_with_indices(std::move(x).handle(), options);
    return {Tensor<B, 3>(std::move(results[0])), Tensor<B, 3, Int>(std::move(results[1]))};
}
template <Backend B>
std::pair<Tensor<B, 4>, Tensor<B, 4, Int>> max_pool2d_with_indices(Tensor<B, 4> x, const PoolOptions& options) {
    ops::HandleList results = ops::max_pool_with_indices(std::move(x).handle(), options);
    return {Tensor<B, 4>(std::move(results[0])), Tensor<B, 4, Int>(std::move(results[1]))};
}

/// Average of windows; see ops::PoolOptions.
///
/// Shapes    x [batch, C, n] -> [batch, C, n']
/// Errors    ShapeError when sizes do not fit; ArgumentError for options that make no sense
template <Backend B>
Tensor<B, 3> avg_pool1d(Tensor<B, 3> x, const PoolOptions& options) {
    return Tensor<B, 3>(ops::avg_pool(std::move(x).handle(), options));
}
/// Shapes    x [batch, C, h, w] -> [batch, C, h', w']
template <Backend B>
Tensor<B, 4> avg_pool2d(Tensor<B, 4> x, const PoolOptions& options) {
    return Tensor<B, 4>(ops::avg_pool(std::move(x).handle(), options));
}

/// Averages over nearly equal windows, as many as `size`.
///
/// Shapes    x [batch, C, n] -> [batch, C, size]
template <Backend B>
Tensor<B, 3> adaptive_avg_pool1d(Tensor<B, 3> x, Sizes<1> size) {
    return Tensor<B, 3>(ops::adaptive_avg_pool(std::move(x).handle(), size.shape()));
}
/// Shapes    x [batch, C, h, w] -> [batch, C, size[0], size[1]]
template <Backend B>
Tensor<B, 4> adaptive_avg_pool2d(Tensor<B, 4> x, Sizes<2> size) {
    return Tensor<B, 4>(ops::adaptive_avg_pool(std::move(x).handle(), size.shape()));
}

/// The rows of a table that indices name.
///
/// Shapes    weight [entries, d], at [batch, n] -> [batch, n, d]
/// Errors    IndexError for an index that is no entry
template <Backend B>
Tensor<B, 3> embedding(Tensor<B, 2> weight, Tensor<B, 2, Int> at) {
    return Tensor<B, 3>(ops::embedding(std::move(weight).handle(), std::move(at).handle()));
}

/// Normalises each row, then scales and shifts it.
///
///   (x - mean) / sqrt(var + epsilon) * gamma + beta
///
/// Shapes    x [.., n], gamma, beta [n] -> as x
template <Backend B, std::size_t D>
Tensor<B, D> layer_norm(Tensor<B, D> x, Tensor<B, 1> gamma, double epsilon = 1e-5) {
    return Tensor<B, D>(ops::layer_norm(std::move(x).handle(), std::move(gamma).handle(), epsilon));
}
template <Backend B, std::size_t D>
Tensor<B, D> layer_norm(Tensor<B, D> x, Tensor<B, 1> gamma, Tensor<B, 1> beta, double epsilon = 1e-5) {
    return Tensor<B, D>(
        ops::layer_norm(std::move(x).handle(), std::move(gamma).handle(), std::move(beta).handle(), epsilon));
}

/// Normalises each channel by given statistics, then scales and shifts it.
///
///   (x - mean) / sqrt(var + epsilon) * gamma + beta
///
/// Shapes    x [batch, C, ..], the others [C] -> as x
template <Backend B, std::size_t D>
    requires(D >= 2)
Tensor<B, D> batch_norm(Tensor<B, D> x, Tensor<B, 1> gamma, Tensor<B, 1> beta, Tensor<B, 1> mean, Tensor<B, 1> var,
                        double epsilon = 1e-5) {
    return Tensor<B, D>(ops::batch_norm(std::move(x).handle(), std::move(gamma).handle(), std::move(beta).handle(),
                                        std::move(mean).handle(), std::move(var).handle(), epsilon));
}

/// Scaled dot-product attention: each query's mean of the values, weighted by the softmax of its scores with the keys.
///
///   softmax(cap(scale * query key^T) + bias) value; see ops::AttentionOptions
///
/// Shapes    query [batch, heads, n, d], key [batch, heads, m, d], value [batch, heads, m, e]; mask (true hides) and bias, each
///           axis that of [batch, heads, n, m] or 1 -> [batch, heads, n, e]
/// Numerics  f16 and bf16 compute in f32; a query from which every key is hidden gives zeros
/// Memory    NdArray and Cpu never have all scores in memory
/// Errors    ShapeError when sizes do not fit; ArgumentError for options that make no sense
template <Backend B>
Tensor<B, 4> attention(Tensor<B, 4> query, Tensor<B, 4> key, Tensor<B, 4> value, const AttentionOptions& options = {}) {
    return Tensor<B, 4>(
        ops::attention(std::move(query).handle(), std::move(key).handle(), std::move(value).handle(), {}, {}, options));
}
template <Backend B>
Tensor<B, 4> attention(Tensor<B, 4> query, Tensor<B, 4> key, Tensor<B, 4> value, Tensor<B, 4, Bool> mask,
                       const AttentionOptions& options = {}) {
    return Tensor<B, 4>(ops::attention(std::move(query).handle(), std::move(key).handle(), std::move(value).handle(),
                                       std::move(mask).handle(), {}, options));
}
template <Backend B>
Tensor<B, 4> attention(Tensor<B, 4> query, Tensor<B, 4> key, Tensor<B, 4> value, Tensor<B, 4> bias,
                       const AttentionOptions& options = {}) {
    return Tensor<B, 4>(ops::attention(std::move(query).handle(), std::move(key).handle(), std::move(value).handle(),
                                       {}, std::move(bias).handle(), options));
}
template <Backend B>
Tensor<B, 4> attention(Tensor<B, 4> query, Tensor<B, 4> key, Tensor<B, 4> value, Tensor<B, 4, Bool> mask,
                       Tensor<B, 4> bias, const AttentionOptions& options = {}) {
    return Tensor<B, 4>(ops::attention(std::move(query).handle(), std::move(key).handle(), std::move(value).handle(),
                                       std::move(mask).handle(), std::move(bias).handle(), options));
}

}  // namespace burn
