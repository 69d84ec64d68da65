// The README's first look at modules and training.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/nn/nn.h>
#include <burn/optim/optim.h>
#include <burn/store/store.h>

#include <cstdio>

template <burn::Backend B>
struct PositionWiseFeedForward {
    burn::nn::Linear<B> linear_inner, linear_outer;
    burn::nn::Dropout dropout;
    burn::nn::Gelu gelu;
    BURN_MODULE(PositionWiseFeedForward, linear_inner, linear_outer, dropout, gelu)

    template <std::size_t D>
    burn::Tensor<B, D> forward(burn::Tensor<B, D> input) const {
        return linear_outer.forward(dropout.forward(gelu.forward(linear_inner.forward(input))));
    }
};

using B = burn::Autodiff<burn::NdArray>;

int main() {
    burn::Device<B> device;
    device.seed(1);

    PositionWiseFeedForward<B> model{
        .linear_inner = burn::nn::LinearConfig{4, 16}.init(device),
        .linear_outer = burn::nn::LinearConfig{16, 4}.init(device),
        .dropout = burn::nn::DropoutConfig{0.1}.init(),
        .gelu = {},
    };
    auto optimizer = burn::optim::AdamConfig{}.init();
    auto x = burn::Tensor<B, 2>::random({64, 4}, burn::Distribution::normal(0, 1), device);

    for (int step = 0; step < 100; ++step) {
        auto loss = burn::nn::loss::MseLoss{}.forward(model.forward(x), x);
        auto gradients = burn::optim::GradientsParams::from_grads(loss.backward(), model);
        model = optimizer.step(1e-2, std::move(model), std::move(gradients));
    }

    burn::save(model, "model.safetensors");
    auto inference = burn::valid(model);  // the same on NdArray: no gradients, no dropout
    std::printf("%lld parameters\n", static_cast<long long>(burn::num_params(inference)));
}
