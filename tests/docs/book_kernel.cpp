// The program of book/kernels.md: a kernel written by hand, shown as text, compiled and run.
#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/text.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace burn::kernel;

/// y[i] = x[i] / (1 + e^-x[i]), eight neighbours a cube.
Kernel silu() {
    Builder k("silu");
    const Place x = k.buffer(burn::DType::F32, Access::Read), y = k.buffer(burn::DType::F32, Access::Write);
    const Value i = k.cube_index() * 8;
    const Value v = x.load(i, 8);
    y.store(i, v / (1 + exp(-v)));
    return k.finish();
}

int main() {
    const Kernel kernel = silu();
    std::printf("%s", print(kernel).c_str());
    if (burn::cpu::code_generator() == nullptr) {
        std::printf("not compiled: %s\n", burn::cpu::why_no_code_generator().c_str());
        return 0;
    }
    std::vector<float> x(64), y(64);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.25f * static_cast<float>(i) - 8;
    std::byte* const buffers[] = {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(y.data())};
    const burn::cpu::LaunchArguments arguments{buffers, nullptr};
    burn::cpu::compiled(kernel)->function(&arguments, 0, 8);  // eight cubes
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::abs(y[i] - x[i] / (1 + std::exp(-x[i]))) > 1e-6f) return 1;
    }
    std::printf("64 elements are right\n");
}
