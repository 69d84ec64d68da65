// The program of book/autotune.md: measures who runs a product best here, and reports it.
#include <burn/backends/cpu/cpu.h>
#include <burn/compiler/autotune/tuner.h>
#include <burn/tensor/tensor.h>

#include <cstdio>

using B = burn::Cpu;

int main() {
    burn::autotune::Settings settings = burn::autotune::settings();
    settings.tuning = burn::autotune::Tuning::On;
    settings.seconds_per_problem = 0.1;
    burn::autotune::set_settings(settings);

    const burn::Device<B> device;
    auto x = burn::Tensor<B, 2>::random({256, 256}, burn::Distribution::uniform(-1, 1), device);
    auto y = x.matmul(x);
    device.sync();
    std::printf("%s", burn::autotune::report().c_str());
}
