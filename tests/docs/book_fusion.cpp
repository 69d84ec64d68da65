// The program of book/fusion.md: prints the plan that the chapter shows.
#include <burn/backends/cpu/cpu.h>
#include <burn/tensor/activation.h>
#include <burn/tensor/tensor.h>

#include <cstdio>

using B = burn::Cpu;

burn::Tensor<B, 2> probabilities(burn::Tensor<B, 2> x, burn::Tensor<B, 2> weight, burn::Tensor<B, 2> bias) {
    auto hidden = burn::activation::gelu(x.matmul(weight) + bias);
    auto scores = (hidden - hidden.max_dim(1)).exp();
    return scores / scores.sum_dim(1);
}

int main() {
    const burn::Device<B> device;
    const auto uniform = burn::Distribution::uniform(-1, 1);
    auto x = burn::Tensor<B, 2>::random({64, 256}, uniform, device);
    auto weight = burn::Tensor<B, 2>::random({256, 128}, uniform, device);
    auto bias = burn::Tensor<B, 2>::random({1, 128}, uniform, device);
    device.sync();  // what follows is a segment of its own

    auto y = probabilities(x, weight, bias);
    std::printf("%s", burn::fusion::flush_and_describe(device.engine()).c_str());

    auto scanned = (x * 2).cumsum(1).exp();
    std::printf("%s", burn::fusion::flush_and_describe(device.engine()).c_str());
    auto sums = x.matmul(weight).sum_dim(0);
    std::printf("%s", burn::fusion::flush_and_describe(device.engine()).c_str());
}
