#pragma once

#include <burn/backends/ndarray/ndarray.h>
#include <burn/nn/activation.h>
#include <burn/nn/linear.h>

/// A network of two linear layers.
template <burn::Backend B>
struct Network {
    burn::nn::Linear<B> inner, outer;
    burn::nn::Relu relu;
    BURN_MODULE(Network, inner, outer, relu)

    burn::Tensor<B, 2> forward(burn::Tensor<B, 2> x) const { return outer.forward(relu.forward(inner.forward(x))); }
};

/// Numbers in [-1, 1) from a linear congruential generator, the same on every machine: they stand for trained weights.
///
/// Source    the multiplier and increment of Knuth's MMIX
template <std::size_t D>
burn::Tensor<burn::NdArray, D> pattern(burn::Sizes<D> shape, std::uint64_t seed) {
    burn::TensorData data(shape.shape(), burn::DType::F32);
    std::uint64_t state = seed;
    for (float& value : data.mutable_values<float>()) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<float>(static_cast<std::int32_t>(state >> 40) - (1 << 23)) * 0x1p-23f;
    }
    return burn::Tensor<burn::NdArray, D>::from_data(data, burn::Device<burn::NdArray>());
}

inline burn::nn::Linear<burn::NdArray> layer(std::int64_t inputs, std::int64_t outputs, std::uint64_t seed) {
    return {.weight = burn::Param(pattern<2>({inputs, outputs}, seed)),
            .bias = burn::Param(pattern<1>({outputs}, seed + 1))};
}

/// Prints the network's answers for three inputs, one row a line, through `print(const char*)`.
inline void run_network(auto print) {
    const Network<burn::NdArray> network{layer(16, 32, 1), layer(32, 4, 3), {}};
    const burn::TensorData answers = network.forward(pattern<2>({3, 16}, 5)).to_data();
    for (std::int64_t row = 0; row < 3; ++row) {
        burn::Message line;
        for (std::int64_t column = 0; column < 4; ++column) line << answers.at(row * 4 + column) << ' ';
        print((line << '\n').text());
    }
}
