#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/tensor.h>

#include <dlfcn.h>

#include <cstdio>

// d/dx of sum(x * x) at 1 and 2 is 2 and 4
int main() {
    using B = burn::Autodiff<burn::NdArray>;
    const burn::Device<B> device;
    const auto x = burn::Tensor<B, 1>::from({1.0F, 2.0F}, device).require_grad();
    const auto grads = (x * x).sum().backward();
    // What Cpu compiles kernels with: it must be on the library path of programs that use the package.
    std::printf("plug-in: %s\n", dlopen("burn_cpu_llvm.so", RTLD_NOW) != nullptr ? "found" : dlerror());
    std::printf("outside: %g\n", static_cast<double>(x.grad(grads)->sum().into_scalar<float>()));
}
