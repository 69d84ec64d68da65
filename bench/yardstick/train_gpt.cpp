// A training step of a small transformer that predicts the next token.
#include <bench/yardstick/plain_layers.h>
#include <bench/yardstick/training.h>
#include <burn/backends/cpu/cpu.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/nn/activation.h>
#include <burn/nn/embedding.h>
#include <burn/nn/layer_norm.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/optim/adam.h>
#include <burn/tensor/module_functions.h>

namespace burn::bench {

namespace {

struct GptSizes {
    std::int64_t batch, vocabulary, width, heads, layers, context;
};

template <Backend B>
struct Block {
    nn::LayerNorm<B> norm1;
    nn::Linear<B> qkv, out;
    nn::LayerNorm<B> norm2;
    nn::Linear<B> inner, outer;
    nn::Gelu activation;
    std::int64_t heads = 1;
    BURN_MODULE(Block, norm1, qkv, out, norm2, inner, outer, activation, heads)

    /// Shapes    x [batch, n, width]
    Tensor<B, 3> forward(Tensor<B, 3> x) const {
        const std::int64_t batch = x.dim(0), n = x.dim(1), width = x.dim(2), d = width / heads;
        const auto all = qkv.forward(norm1.forward(x)).template reshape<5>({batch, n, 3, heads, d});
        const auto part = [&](std::int64_t index) { return all.select_dim(2, index).swap_dims(1, 2); };
        const Tensor<B, 4> attended = attention(part(0), part(1), part(2), {.is_causal = true});
        x = x + out.forward(attended.swap_dims(1, 2).template reshape<3>({batch, n, width}));
        return x + outer.forward(activation.forward(inner.forward(norm2.forward(x))));
    }
};

template <Backend B>
Block<B> init_block(const GptSizes& s, const Device<B>& device) {
    return {.norm1 = nn::LayerNormConfig{s.width}.init(device),
            .qkv = nn::LinearConfig{s.width, 3 * s.width}.init(device),
            .out = nn::LinearConfig{s.width, s.width}.init(device),
            .norm2 = nn::LayerNormConfig{s.width}.init(device),
            .inner = nn::LinearConfig{s.width, 4 * s.width}.init(device),
            .outer = nn::LinearConfig{4 * s.width, s.width}.init(device),
            .activation = {.approximate = true},
            .heads = s.heads};
}

template <Backend B>
struct Gpt {
    nn::Embedding<B> tokens, positions;
    std::vector<Block<B>> blocks;
    nn::LayerNorm<B> norm;
    nn::Linear<B> out;
    BURN_MODULE(Gpt, tokens, positions, blocks, norm, out)

    Tensor<B, 3> forward(Tensor<B, 2, Int> input) const {
        const std::int64_t n = input.dim(1);
        const Device<B> device = input.device();
        auto x = tokens.forward(std::move(input)) +
                 positions.forward(Tensor<B, 1, Int>::arange(0, n, device)).template unsqueeze<3>();
        for (const Block<B>& block : blocks) x = block.forward(std::move(x));
        return out.forward(norm.forward(std::move(x)));
    }
};

/// The loss for given parameters, by plain loops.
double plain_loss(const Parameters& p, const GptSizes& s, const std::vector<std::int64_t>& tokens,
                  const std::vector<std::int64_t>& targets) {
    plain::Values x;
    for (std::size_t row = 0; row < tokens.size(); ++row) {
        for (std::int64_t j = 0; j < s.width; ++j) {
            x.push_back(p[0][static_cast<std::size_t>(tokens[row] * s.width + j)] +
                        p[1][row % static_cast<std::size_t>(s.context) * static_cast<std::size_t>(s.width) +
                             static_cast<std::size_t>(j)]);
        }
    }
    std::size_t next = 2;
    for (std::int64_t layer = 0; layer < s.layers; ++layer, next += 12) {
        const plain::Values* b = &p[next];
        const plain::Values qkv = plain::linear(plain::layer_norm(x, b[0], b[1]), b[2], b[3], s.width);
        const plain::Values attended = plain::causal_attention(qkv, s.context, s.heads, s.width / s.heads);
        x = plain::sum(std::move(x), plain::linear(attended, b[4], b[5], s.width));
        const plain::Values inner = plain::linear(plain::layer_norm(x, b[6], b[7]), b[8], b[9], s.width);
        x = plain::sum(std::move(x), plain::linear(plain::gelu_tanh(inner), b[10], b[11], 4 * s.width));
    }
    return plain::cross_entropy(plain::linear(plain::layer_norm(x, p[next], p[next + 1]), p[next + 2], {}, s.width),
                                targets);
}

template <class B>
Workload train(const Place& place) {
    const GptSizes s = place.quick ? GptSizes{2, 11, 8, 2, 2, 5} : GptSizes{4, 1024, 128, 4, 2, 128};
    const Device<B> device;
    Gpt<B> model{.tokens = nn::EmbeddingConfig{s.vocabulary, s.width}.init(device),
                 .positions = nn::EmbeddingConfig{s.context, s.width}.init(device),
                 .blocks = {},
                 .norm = nn::LayerNormConfig{s.width}.init(device),
                 .out = nn::LinearConfig{.d_input = s.width, .d_output = s.vocabulary, .bias = false}.init(device)};
    for (std::int64_t i = 0; i < s.layers; ++i) model.blocks.push_back(init_block(s, device));
    const Distribution any = Distribution::uniform(0, static_cast<double>(s.vocabulary));
    const auto tokens = Tensor<B, 2, Int>::random({s.batch, s.context}, any, device);
    const auto targets = Tensor<B, 1, Int>::random({s.batch * s.context}, any, device);

    StepReference reference{.loss = [s, of = read_indices(tokens.handle()), to = read_indices(targets.handle())](
                                        const Parameters& p) { return plain_loss(p, s, of, to); },
                            .rate = 3e-4,
                            .decay = 1e-2};
    const auto loss_of = [tokens, targets](const Gpt<B>& m) {
        return nn::loss::CrossEntropyLoss<B>().forward(m.forward(tokens).template flatten<2>(0, 1), targets);
    };
    Workload work = training_step(place, model, optim::AdamWConfig{.epsilon = 1e-8, .weight_decay = 1e-2}.init(),
                                  loss_of, reference);
    const double rows = static_cast<double>(s.batch * s.context), width = static_cast<double>(s.width);
    const double per_row =
        static_cast<double>(s.layers) * (12 * width * width + static_cast<double>(s.context) * width) +
        width * static_cast<double>(s.vocabulary);
    work.operations = 3 * 2 * rows * per_row;
    work.transcendentals =
        rows * static_cast<double>(s.layers) * (2 * 4 * width + static_cast<double>(s.heads * s.context) / 2) +
        2 * rows * static_cast<double>(s.vocabulary);
    work.bytes = kAdamBytes * static_cast<double>(model.num_params());
    return work;
}

}  // namespace

Workload train_gpt(const Place& place) {
    return place.backend == BackendChoice::Cpu ? train<Autodiff<Cpu>>(place) : train<Autodiff<NdArray>>(place);
}

}  // namespace burn::bench
