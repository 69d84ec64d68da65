#pragma once

#include <burn/data/image_normalizer.h>
#include <burn/data/mnist.h>
#include <burn/tensor/tensor.h>

#include <vector>

namespace guide {

/// Shapes    images [n, 28, 28]; targets [n]
template <burn::Backend B>
struct Batch {
    burn::Tensor<B, 3> images;
    burn::Tensor<B, 1, burn::Int> targets;
};

/// Items as they are in host memory, normalised with the mean and deviation of Fashion-MNIST.
burn::TensorData normalized_images(const std::vector<burn::data::MnistItem>& items);
burn::TensorData labels(const std::vector<burn::data::MnistItem>& items);

/// Brings images to a device, normalised, with their classes.
template <burn::Backend B>
struct Batcher {
    burn::Device<B> device;

    Batch<B> batch(std::vector<burn::data::MnistItem> items) const {
        return {.images = burn::Tensor<B, 3>::from_data(normalized_images(items), device),
                .targets = burn::Tensor<B, 1, burn::Int>::from_data(labels(items), device)};
    }
};

}  // namespace guide
