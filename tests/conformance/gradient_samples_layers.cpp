#include "tests/conformance/gradient_samples.h"

#include <burn/ops/conv.h>
#include <burn/ops/loss.h>
#include <burn/ops/norm.h>
#include <burn/ops/pool.h>

namespace burn::conformance {

namespace {

/// A convolution and its two gradients, each an operation with a gradient of its own, of the same shapes.
void sample_conv(GradientSamples& samples, const char* what, const ops::ConvOptions& options, const Shape& x,
                 const Shape& weight) {
    const ops::AnyOp forward = ops::Conv{options};
    const TensorSpec specs[] = {{x, DType::F64}, {weight, DType::F64}};
    const Shape y = ops::AnyOp(forward).infer(specs)[0].shape;
    Dims size;
    Dims kernel;
    for (std::size_t axis = 2; axis < x.rank(); ++axis) {
        size.push_back(x[axis]);
        kernel.push_back(weight[axis]);
    }
    samples.push_back({what, forward, {reals(x), reals(weight, -2, 2, 2)}});
    samples.push_back({what, ops::ConvInputGrad{options, size}, {reals(y), reals(weight, -2, 2, 2)}});
    samples.push_back({what, ops::ConvWeightGrad{options, kernel}, {reals(x), reals(y, -2, 2, 2)}});
}

void sample_pool(GradientSamples& samples, const char* what, const ops::PoolOptions& options, const Shape& x) {
    const ops::AnyOp forward = ops::AvgPool{options};
    const TensorSpec specs[] = {{x, DType::F64}};
    const Shape y = ops::AnyOp(forward).infer(specs)[0].shape;
    Dims size;
    for (std::size_t axis = 2; axis < x.rank(); ++axis) size.push_back(x[axis]);
    samples.push_back({what, forward, {reals(x)}});
    samples.push_back({what, ops::AvgPoolGrad{options, size}, {reals(y)}});
}

}  // namespace

void sample_layers(GradientSamples& samples) {
    sample_conv(samples, "over one axis", {}, {2, 1, 5}, {2, 1, 3});
    sample_conv(samples, "stride that leaves a rest, padding", {.stride = {2}, .padding = {1}}, {1, 2, 6}, {1, 2, 3});
    sample_conv(samples, "uneven padding, dilation", {.padding = {2}, .padding_behind = {0}, .dilation = {2}},
                {1, 1, 5}, {1, 1, 2});
    sample_conv(samples, "groups over two axes", {.groups = 2}, {1, 2, 3, 3}, {4, 1, 2, 2});
    sample_conv(samples, "all options over two axes",
                {.stride = {2, 1}, .padding = {1, 0}, .padding_behind = {0, 1}, .dilation = {1, 2}, .groups = 2},
                {1, 4, 4, 4}, {2, 2, 2, 2});

    sample_pool(samples, "over one axis", {.kernel = {2}}, {2, 1, 5});
    sample_pool(samples, "overlapping, padded", {.kernel = {3, 2}, .stride = {1, 2}, .padding = {1, 0}}, {1, 2, 3, 4});
    sample_pool(samples, "ceil, padding not counted",
                {.kernel = {3}, .stride = {2}, .padding = {1}, .ceil_mode = true, .count_include_pad = false},
                {1, 1, 6});
    samples.push_back({"of a plane", ops::MaxPool{{.kernel = {2, 2}}}, {reals({1, 2, 4, 4})}});
    samples.push_back({"by threes", ops::MaxPoolWithIndices{{.kernel = {2, 3}}}, {reals({2, 2, 4, 6})}});
    samples.push_back({"dilated",
                       ops::MaxPoolWithIndices{{.kernel = {2}, .stride = {1}, .padding = {1}, .dilation = {2}}},
                       {reals({2, 1, 6})}});
    samples.push_back(
        {"overlapping, padded, ceil",
         ops::MaxPoolWithIndices{{.kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 1}, .ceil_mode = true}},
         {reals({1, 2, 4, 5})}});
    samples.push_back({"to fewer", ops::AdaptiveAvgPool{{2, 3}}, {reals({1, 2, 5, 4})}});
    samples.push_back({"to more", ops::AdaptiveAvgPool{{5}}, {reals({1, 2, 3})}});
    samples.push_back({"from fewer", ops::AdaptiveAvgPoolGrad{{5, 4}}, {reals({1, 2, 2, 3})}});

    samples.push_back(
        {"with bias", ops::LayerNorm{1e-3}, {reals({2, 3, 4}), reals({4}, 0.5, 2, 2), reals({4}, -2, 2, 3)}});
    samples.push_back({"without bias", ops::LayerNorm{1e-3}, {reals({3, 5}), reals({5}, 0.5, 2, 2)}});
    samples.push_back(
        {"its gradient", ops::LayerNormGrad{1e-3}, {reals({2, 4}), reals({4}, 0.5, 2, 2), reals({2, 4}, -2, 2, 3)}});
    samples.push_back({"of classes", ops::CrossEntropy{}, {reals({5, 4}), indices({5}, 4)}});
    samples.push_back(
        {"of classes, its gradient", ops::CrossEntropyGrad{}, {reals({5, 4}), indices({5}, 4), reals({5}, -2, 2, 2)}});
    samples.push_back(
        {"batch norm",
         ops::BatchNorm{1e-3},
         {reals({2, 3, 2}), reals({3}, 0.5, 2, 2), reals({3}, -2, 2, 3), reals({3}, -1, 1, 4), reals({3}, 0.5, 2, 5)}});
}

}  // namespace burn::conformance
