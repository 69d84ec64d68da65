// A kernel of one's own as an operation with a gradient: its worst difference to the operations that it replaces, computed by
// NdArray in f64, and its time beside theirs.
#include "matmul_add_relu.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/activation.h>
#include <burn/tensor/tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

template <burn::Backend B>
burn::Tensor<B, 2> fused(burn::Tensor<B, 2> x, burn::Tensor<B, 2> weight, burn::Tensor<B, 1> bias) {
    return burn::custom::apply<burn::Tensor<B, 2>>(example::MatMulAddRelu{}, x, weight, bias);
}

template <burn::Backend B>
burn::Tensor<B, 2> composed(burn::Tensor<B, 2> x, burn::Tensor<B, 2> weight, burn::Tensor<B, 1> bias) {
    return burn::activation::relu(x.matmul(weight) + bias.template unsqueeze<2>());
}

namespace {

/// x, weight and bias.
struct Operands {
    burn::TensorData x, weight, bias;

    Operands in(burn::DType dtype) const { return {x.convert(dtype), weight.convert(dtype), bias.convert(dtype)}; }
};

/// y and the gradients of mean(y^2).
template <burn::Backend B, class Layer>
std::vector<burn::TensorData> run(Layer layer, const Operands& operands) {
    const burn::Device<B> device;
    const auto x = burn::Tensor<B, 2>::from_data(operands.x, device).require_grad();
    const auto weight = burn::Tensor<B, 2>::from_data(operands.weight, device).require_grad();
    const auto bias = burn::Tensor<B, 1>::from_data(operands.bias, device).require_grad();
    const auto y = layer(x, weight, bias);
    const auto gradients = (y * y).mean().backward();
    return {y.to_data(), x.grad(gradients)->to_data(), weight.grad(gradients)->to_data(),
            bias.grad(gradients)->to_data()};
}

/// The largest difference, in parts of the largest number.
double difference(const burn::TensorData& a, const burn::TensorData& b) {
    double worst = 0, largest = 0;
    for (std::int64_t i = 0; i < b.numel(); ++i) {
        const double apart = std::abs(a.at(i) - b.at(i));
        worst = apart <= worst ? worst : apart;  // keeps a NaN
        largest = std::max(largest, std::abs(b.at(i)));
    }
    return worst / largest;
}

template <class Function>
double seconds(Function function) {
    const auto begin = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
    using Reference = burn::Autodiff<burn::NdArray>;
    using B = burn::Autodiff<burn::Cpu>;
    const burn::Device<Reference> host;
    host.seed(1);
    const auto uniform = burn::Distribution::uniform(-1, 1);
    const Operands operands{burn::Tensor<Reference, 2>::random({250, 300}, uniform, host).to_data(),
                            burn::Tensor<Reference, 2>::random({300, 500}, uniform, host).to_data(),
                            burn::Tensor<Reference, 1>::random({500}, uniform, host).to_data()};

    const auto expected = run<Reference>(composed<Reference>, operands.in(burn::DType::F64));
    const auto computed = run<B>(fused<B>, operands);
    const char* const names[] = {"y", "dx", "dweight", "dbias"};
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double apart = difference(computed[i], expected[i]);
        std::printf("%-8s differs by %.1e\n", names[i], apart);
        worst = apart <= worst ? worst : apart;
    }

    std::printf("worst difference %.1e\n", worst);
    if (!(worst < 1e-5)) return 1;
    if (burn::cpu::code_generator() == nullptr) {
        std::printf("interpreted, so there is no time to show: %s\n", burn::cpu::why_no_code_generator().c_str());
        return 0;
    }

    const burn::Device<burn::Cpu> device;
    const auto x = burn::Tensor<burn::Cpu, 2>::from_data(operands.x, device);
    const auto weight = burn::Tensor<burn::Cpu, 2>::from_data(operands.weight, device);
    const auto bias = burn::Tensor<burn::Cpu, 1>::from_data(operands.bias, device);
    double mine = 1e9, theirs = 1e9;
    for (int i = 0; i < 50; ++i) {
        mine = std::min(mine, seconds([&] { fused<burn::Cpu>(x, weight, bias).to_data(); }));
        theirs = std::min(theirs, seconds([&] { composed<burn::Cpu>(x, weight, bias).to_data(); }));
    }
    std::printf("%.2f times the time of the composition\n", mine / theirs);
}
