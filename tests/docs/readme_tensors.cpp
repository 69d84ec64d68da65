// The README's first look at tensors.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/print.h>
#include <burn/tensor/tensor.h>

#include <iostream>

using B = burn::Autodiff<burn::NdArray>;

int main() {
    burn::Device<B> device;

    auto x = burn::Tensor<B, 2>::random({32, 32}, burn::Distribution::uniform(0, 1), device);
    auto y = burn::Tensor<B, 2>::random({32, 32}, burn::Distribution::uniform(0, 1), device).require_grad();
    auto tmp = (x + y).matmul(x).exp().sum();
    auto grads = tmp.backward();  // does not compile on a backend without gradients
    std::cout << *y.grad(grads) << '\n';
}
