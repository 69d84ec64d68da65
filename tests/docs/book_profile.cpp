// The program of book/profile.md: measures a small training step by step, and prints the table.
#include <burn/backends/cpu/cpu.h>
#include <burn/base/profile_report.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/nn/nn.h>
#include <burn/optim/optim.h>

#include <cstdio>

using B = burn::Autodiff<burn::Cpu>;

template <burn::Backend B>
struct Network {
    burn::nn::Linear<B> hidden, output;
    BURN_MODULE(Network, hidden, output)

    burn::Tensor<B, 2> forward(burn::Tensor<B, 2> x) const {
        return output.forward(burn::activation::gelu(hidden.forward(x)));
    }
};

int main() {
    const burn::Device<B> device;
    device.seed(1);
    Network<B> network{.hidden = burn::nn::LinearConfig{256, 1024}.init(device),
                       .output = burn::nn::LinearConfig{1024, 256}.init(device)};
    auto optimizer = burn::optim::AdamConfig{}.init();
    const auto x = burn::Tensor<B, 2>::random({128, 256}, burn::Distribution::normal(0, 1), device);
    const auto train = [&](int steps) {
        for (int step = 0; step < steps; ++step) {
            const auto loss = burn::nn::loss::MseLoss{}.forward(network.forward(x), x);
            auto gradients = burn::optim::GradientsParams::from_grads(loss.backward(), network);
            network = optimizer.step(1e-3, std::move(network), std::move(gradients));
            device.sync();
        }
    };

    train(2);  // plans and kernels are made
    burn::profile::start();
    train(20);
    burn::profile::stop();
    std::printf("%s", burn::profile::table().c_str());
}
