#include <burn/backends/ndarray/ndarray.h>
#include <burn/nn/nn.h>
#include <burn/tensor/tensor.h>

#include <cstdio>

// A layer without gradients: a program that only uses a model knows nothing of them.
int main() {
    using B = burn::NdArray;
    const burn::Device<B> device;
    const auto layer = burn::nn::LinearConfig{4, 3}.init(device);
    const auto y = layer.forward(burn::Tensor<B, 2>::zeros({2, 4}, device));
    std::printf("inference: %d\n", static_cast<int>(y.shape().numel()));
}
