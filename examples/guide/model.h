#pragma once

#include "batch.h"
#include "config.h"

#include <burn/nn/activation.h>
#include <burn/nn/conv.h>
#include <burn/nn/dropout.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/nn/pool.h>
#include <burn/train/step_output.h>

namespace guide {

using burn::Backend;
using burn::Device;
using burn::Tensor;
namespace nn = burn::nn;

/// A small convolutional network for images of 28 x 28.
///
/// Shapes    images [n, 28, 28] -> scores [n, 10]
template <Backend B>
struct Model {
    nn::Conv2d<B> conv1;
    nn::Conv2d<B> conv2;
    nn::AdaptiveAvgPool2d pool;
    nn::Dropout dropout;
    nn::Linear<B> linear1;
    nn::Linear<B> linear2;
    nn::Relu activation;
    BURN_MODULE(Model, conv1, conv2, pool, dropout, linear1, linear2, activation)

    Tensor<B, 2> forward(Tensor<B, 3> images) const {
        const std::int64_t n = images.dim(0);
        auto x = std::move(images).template reshape<4>({n, 1, 28, 28});  // a channel axis
        x = dropout.forward(conv1.forward(std::move(x)));                // [n, 8, 26, 26]
        x = dropout.forward(conv2.forward(std::move(x)));                // [n, 16, 24, 24]
        x = pool.forward(activation.forward(std::move(x)));              // [n, 16, 8, 8]
        auto y = std::move(x).template reshape<2>({n, 16 * 8 * 8});
        y = activation.forward(dropout.forward(linear1.forward(std::move(y))));
        return linear2.forward(std::move(y));
    }

    burn::training::ClassificationOutput<B> classify(Batch<B> batch) const {
        auto output = forward(std::move(batch.images));
        auto loss = nn::loss::CrossEntropyLoss<B>().forward(output, batch.targets);
        return {.loss = std::move(loss), .output = std::move(output), .targets = std::move(batch.targets)};
    }

    auto train_step(Batch<B> batch) const
        requires burn::AutodiffBackend<B>
    {
        auto result = classify(std::move(batch));
        auto gradients = result.loss.backward();
        return burn::training::TrainOutput{std::move(gradients), std::move(result)};
    }
    auto valid_step(Batch<B> batch) const { return classify(std::move(batch)); }
};

template <Backend B>
Model<B> init_model(const ModelConfig& config, const Device<B>& device) {
    return {
        .conv1 = nn::Conv2dConfig{.channels = {1, 8}, .kernel_size = {3, 3}}.init(device),
        .conv2 = nn::Conv2dConfig{.channels = {8, 16}, .kernel_size = {3, 3}}.init(device),
        .pool = nn::AdaptiveAvgPool2dConfig{.output_size = {8, 8}}.init(),
        .dropout = nn::DropoutConfig{config.dropout}.init(),
        .linear1 = nn::LinearConfig{16 * 8 * 8, config.hidden}.init(device),
        .linear2 = nn::LinearConfig{config.hidden, config.classes}.init(device),
        .activation = {},
    };
}

}  // namespace guide
