// A training step of a perceptron with two hidden layers.
#include <bench/yardstick/plain_layers.h>
#include <bench/yardstick/training.h>
#include <burn/backends/cpu/cpu.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/nn/activation.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/optim/adam.h>

namespace burn::bench {

namespace {

template <Backend B>
struct Mlp {
    nn::Linear<B> first, second, last;
    nn::Gelu activation;
    BURN_MODULE(Mlp, first, second, last, activation)

    Tensor<B, 2> forward(Tensor<B, 2> x) const {
        x = activation.forward(first.forward(std::move(x)));
        x = activation.forward(second.forward(std::move(x)));
        return last.forward(std::move(x));
    }
};

template <class B>
Workload train(const Place& place) {
    const std::int64_t batch = place.size(64, 4), in = place.size(784, 7), hidden = place.size(512, 6), classes = 10;
    const Device<B> device;
    const Mlp<B> model{nn::LinearConfig{in, hidden}.init(device),
                       nn::LinearConfig{hidden, hidden}.init(device),
                       nn::LinearConfig{hidden, classes}.init(device),
                       {}};
    const auto x = Tensor<B, 2>::random({batch, in}, Distribution::normal(), device);
    const auto targets = Tensor<B, 1, Int>::random({batch}, Distribution::uniform(0, 10), device);

    StepReference reference;
    reference.loss = [xs = read_doubles(x.handle()), classes_of = read_indices(targets.handle()), in,
                      hidden](const Parameters& p) {
        const plain::Values a = plain::gelu(plain::linear(xs, p[0], p[1], in));
        const plain::Values b = plain::gelu(plain::linear(a, p[2], p[3], hidden));
        return plain::cross_entropy(plain::linear(b, p[4], p[5], hidden), classes_of);
    };
    const auto loss_of = [x, targets](const Mlp<B>& m) {
        return nn::loss::CrossEntropyLoss<B>().forward(m.forward(x), targets);
    };
    Workload work = training_step(place, model, optim::AdamConfig{.epsilon = 1e-8}.init(), loss_of, reference);
    // Forward, and backward to weights and inputs; nobody wants the gradient of the first layer's input.
    work.operations = 2.0 * static_cast<double>(batch) *
                      static_cast<double>(2 * in * hidden + 3 * hidden * hidden + 3 * hidden * classes);
    work.transcendentals = 2 * 3.0 * static_cast<double>(batch * hidden);
    work.bytes = kAdamBytes * static_cast<double>(model.num_params());
    return work;
}

}  // namespace

Workload train_mlp(const Place& place) {
    return place.backend == BackendChoice::Cpu ? train<Autodiff<Cpu>>(place) : train<Autodiff<NdArray>>(place);
}

}  // namespace burn::bench
