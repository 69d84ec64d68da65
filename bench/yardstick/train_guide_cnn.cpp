// A training step of the guide's convolutional network.
#include <bench/yardstick/plain_layers.h>
#include <bench/yardstick/training.h>
#include <burn/backends/cpu/cpu.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/nn/activation.h>
#include <burn/nn/conv.h>
#include <burn/nn/dropout.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/nn/pool.h>
#include <burn/ops/random.h>
#include <burn/optim/adam.h>

namespace burn::bench {

namespace {

template <Backend B>
struct GuideCnn {
    nn::Conv2d<B> conv1, conv2;
    nn::AdaptiveAvgPool2d pool;
    nn::Dropout dropout;
    nn::Linear<B> linear1, linear2;
    nn::Relu activation;
    BURN_MODULE(GuideCnn, conv1, conv2, pool, dropout, linear1, linear2, activation)

    Tensor<B, 2> forward(Tensor<B, 4> x) const {
        const std::int64_t n = x.dim(0);
        x = dropout.forward(conv1.forward(std::move(x)));
        x = dropout.forward(conv2.forward(std::move(x)));
        x = pool.forward(activation.forward(std::move(x)));
        auto y = std::move(x).template reshape<2>({n, -1});
        y = activation.forward(dropout.forward(linear1.forward(std::move(y))));
        return linear2.forward(std::move(y));
    }
};

/// The masks of the three dropouts, scaled, as the random stream gives them.
struct Masks {
    plain::Values first, second, third;
};

Masks masks_of(ops::Engine& engine, std::int64_t batch, std::int64_t size, std::int64_t hidden) {
    const auto mask = [&](Shape shape) {
        plain::Values values = read_doubles(ops::random(engine, shape, DType::F32, Distribution::bernoulli(0.5)));
        for (double& value : values) value *= 2;
        return values;
    };
    Masks masks;
    masks.first = mask({batch, 8, size - 2, size - 2});
    masks.second = mask({batch, 16, size - 4, size - 4});
    masks.third = mask({batch, hidden});
    return masks;
}

template <class B>
Workload train(const Place& place) {
    const std::int64_t batch = place.size(64, 3), size = place.size(28, 14), hidden = place.size(512, 5);
    const std::int64_t flat = 16 * 8 * 8, classes = 10;
    const Device<B> device;
    const GuideCnn<B> model{
        .conv1 = nn::Conv2dConfig{.channels = {1, 8}, .kernel_size = {3, 3}}.init(device),
        .conv2 = nn::Conv2dConfig{.channels = {8, 16}, .kernel_size = {3, 3}}.init(device),
        .pool = nn::AdaptiveAvgPool2dConfig{.output_size = {8, 8}}.init(),
        .dropout = nn::DropoutConfig{0.5}.init(),
        .linear1 = nn::LinearConfig{flat, hidden}.init(device),
        .linear2 = nn::LinearConfig{hidden, classes}.init(device),
        .activation = {},
    };
    const auto x = Tensor<B, 4>::random({batch, 1, size, size}, Distribution::normal(), device);
    const auto targets = Tensor<B, 1, Int>::random({batch}, Distribution::uniform(0, 10), device);
    (void)read_parameters(model);  // values are drawn when they are first asked for: before the stream is looked at

    const ops::RandomState stream = device.random_state();
    const Masks masks = masks_of(device.engine(), batch, size, hidden);
    device.set_random_state(stream);

    StepReference reference;
    reference.loss = [xs = read_doubles(x.handle()), classes_of = read_indices(targets.handle()), masks, size,
                      hidden](const Parameters& p) {
        const plain::Values a = plain::product(plain::conv3x3(xs, p[0], p[1], 1, size), masks.first);
        const plain::Values b = plain::product(plain::conv3x3(a, p[2], p[3], 8, size - 2), masks.second);
        const plain::Values c = plain::average_to_8x8(plain::relu(b), size - 4);
        const plain::Values d = plain::relu(plain::product(plain::linear(c, p[4], p[5], flat), masks.third));
        return plain::cross_entropy(plain::linear(d, p[6], p[7], hidden), classes_of);
    };
    const auto loss_of = [x, targets](const GuideCnn<B>& m) {
        return nn::loss::CrossEntropyLoss<B>().forward(m.forward(x), targets);
    };
    Workload work = training_step(place, model, optim::AdamConfig{.epsilon = 1e-8}.init(), loss_of, reference);
    const std::int64_t pixels1 = (size - 2) * (size - 2), pixels2 = (size - 4) * (size - 4);
    work.operations =
        2.0 * static_cast<double>(batch) *
        static_cast<double>(2 * 8 * 9 * pixels1 + 3 * 8 * 16 * 9 * pixels2 + 3 * flat * hidden + 3 * hidden * classes);
    work.bytes = kAdamBytes * static_cast<double>(model.num_params());
    return work;
}

}  // namespace

Workload train_guide_cnn(const Place& place) {
    return place.backend == BackendChoice::Cpu ? train<Autodiff<Cpu>>(place) : train<Autodiff<NdArray>>(place);
}

}  // namespace burn::bench
