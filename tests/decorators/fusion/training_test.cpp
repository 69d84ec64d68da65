// A training program of many steps on a fused backend: it learns, and nothing grows.
#include <burn/decorators/fusion/fusion.h>

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/decorators/autodiff/grad_node.h>
#include <burn/nn/activation.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/nn/loss/mse.h>
#include <burn/optim/adam.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

namespace burn::fusion::training_test {
namespace {

using B = Autodiff<Cpu>;

template <Backend Any>
struct Mlp {
    nn::Linear<Any> first, second;
    nn::Tanh activation;
    BURN_MODULE(Mlp, first, second, activation)

    Tensor<Any, 2> forward(Tensor<Any, 2> x) const {
        return second.forward(activation.forward(first.forward(std::move(x))));
    }
};

/// Numbers in [-1, 1), the same on every run.
TensorData numbers(const Shape& shape, std::uint32_t seed) {
    std::vector<float> values(static_cast<std::size_t>(shape.numel()));
    for (float& value : values) {
        seed = seed * 1664525u + 1013904223u;
        value = static_cast<float>(seed) / 4294967296.0f * 2 - 1;
    }
    return TensorData::from(std::span<const float>(values), shape);
}

/// A network that learns the product of two numbers.
class Training {
public:
    explicit Training(std::uint32_t seed)
        : x_(Tensor<B, 2>::from_data(numbers({32, 2}, seed), {})), y_(x_.narrow(1, 0, 1) * x_.narrow(1, 1, 1)),
          model_{linear(2, 16, seed + 1), linear(16, 1, seed + 2), {}}, optimizer_(optim::AdamConfig().init()) {}

    /// A step with a learning rate of its own.
    void step() {
        const double rate = 0.01 / (1 + 0.001 * step_) * (1 + 0.1 * std::sin(step_));
        ++step_;
        loss_ = nn::loss::MseLoss().forward(model_.forward(x_), y_);
        auto gradients = optim::GradientsParams::from_grads(loss_.backward(), model_);
        model_ = optimizer_.step(rate, std::move(model_), std::move(gradients));
    }
    /// The loss before the last step.
    double loss() const { return loss_.to_data().at(0); }

    std::vector<double> weights() const {
        const TensorData data = model_.first.weight.value().to_data();
        std::vector<double> values;
        for (std::int64_t i = 0; i < data.numel(); ++i) values.push_back(data.at(i));
        return values;
    }

private:
    static nn::Linear<B> linear(std::int64_t in, std::int64_t out, std::uint32_t seed) {
        nn::Linear<B> made;
        made.weight = Param(Tensor<B, 2>::from_data(numbers({in, out}, seed), {}).require_grad());
        made.bias = Param(Tensor<B, 1>::from_data(numbers({out}, seed + 100), {}).require_grad());
        return made;
    }

    Tensor<B, 2> x_, y_;
    Mlp<B> model_;
    optim::Optimizer optimizer_;
    Tensor<B, 1> loss_;
    int step_ = 0;
};

/// Everything that a training step makes and must give back.
struct Counts {
    std::uint64_t nodes = autodiff::GradNode::live_count();
    std::uint64_t blocks = engine().memory().live_blocks;
    std::uint64_t bytes = engine().memory().live_bytes;
    std::uint64_t plan_misses = report(engine()).plan_misses;
    std::size_t plans = report(engine()).plans;
    std::uint64_t kernels = cpu::kernel_cache().counters().compiled + cpu::kernel_cache().counters().loaded;

    static ops::Engine& engine() { return Cpu::engine(0); }
    bool operator==(const Counts&) const = default;
};

void PrintTo(const Counts& counts, std::ostream* out) {
    *out << counts.nodes << " nodes, " << counts.blocks << " blocks, " << counts.bytes << " bytes, "
         << counts.plan_misses << " plans made, " << counts.plans << " kept, " << counts.kernels << " kernels";
}

/// What the process holds, in KiB; 0 where nobody says.
long resident() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    long size = 0, pages = 0;
    if (file != nullptr) {
        if (std::fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
        std::fclose(file);
    }
    return pages * 4;
}

/// The first steps make plans and kernels.
constexpr int kWarmUp = 100;

/// 300, or what BURN_TRAINING_STEPS says; never fewer than show what comes after the first steps.
int step_count() {
    const char* given = std::getenv("BURN_TRAINING_STEPS");
    return std::max(2 * kWarmUp, given != nullptr ? std::atoi(given) : 300);
}

class FusedTraining : public testing::Test {
protected:
    void SetUp() override {
        if (cpu::code_generator() == nullptr) GTEST_SKIP() << "no kernels here: " << cpu::why_no_code_generator();
    }
};

TEST_F(FusedTraining, NothingGrows) {
    constexpr int kBetweenReads = 10;
    Training training(1);
    double first = 0, last = 0;
    std::optional<Counts> warm;
    long warm_resident = 0;
    for (int step = 1; step <= step_count(); ++step) {
        training.step();
        if (step % kBetweenReads != 0) continue;
        last = training.loss();
        if (step == kBetweenReads) first = last;
        if (step == kWarmUp) {
            warm.emplace();
            warm_resident = resident();
        } else if (warm) {
            ASSERT_EQ(Counts(), *warm) << "after " << step << " steps";
        }
    }
    EXPECT_LT(last, first / 2);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // what a sanitizer keeps grows
    EXPECT_LT(resident(), warm_resident + 2048);
#endif
}

/// The weights after a step for each class, to which all rows of its batch belong; a batch with a class that is none is left out.
TensorData weights_after_batches(const std::vector<std::int64_t>& classes, int& left_out) {
    const auto x = Tensor<B, 2>::from_data(numbers({16, 8}, 1), {});
    auto weights = Tensor<B, 2>::from_data(numbers({8, 4}, 2), {}).require_grad();
    for (const std::int64_t target : classes) {
        try {
            const auto targets = Tensor<B, 1, Int>::full({16}, target, {});
            auto loss = nn::loss::CrossEntropyLoss<B>{}.forward(x.matmul(weights), targets);
            const auto gradients = loss.backward();
            loss.to_data();
            weights = Tensor<B, 2>::from_inner(weights.inner() - *weights.grad(gradients) * 0.1).require_grad();
        } catch (const IndexError&) {
            ++left_out;
        }
    }
    return weights.to_data();
}

TEST_F(FusedTraining, GoesOnAfterABatchWithABadTarget) {
    int left_out = 0;
    const TensorData weights = weights_after_batches({1, 4, 3, -1, 1}, left_out);
    EXPECT_EQ(left_out, 2);
    const TensorData expected = weights_after_batches({1, 3, 1}, left_out);
    EXPECT_EQ(left_out, 2);
    for (std::int64_t i = 0; i < expected.numel(); ++i) EXPECT_EQ(weights.at(i), expected.at(i)) << "element " << i;
    EXPECT_NE(weights.at(0), numbers({8, 4}, 2).at(0));
}

std::vector<double> weights_after(std::uint32_t seed, int steps) {
    Training training(seed);
    for (int step = 1; step <= steps; ++step) {
        training.step();
        if (step % 10 == 0) training.loss();
    }
    return training.weights();
}

TEST_F(FusedTraining, ThreadsDoNotDisturbEachOther) {
    const int steps = step_count() / 5;
    std::vector<std::vector<double>> alone(10), together(10);
    for (std::uint32_t i = 0; i < 10; ++i) alone[i] = weights_after(1000 * i, steps);
    const Counts before;
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < 10; ++i)
        threads.emplace_back([&together, i, steps] { together[i] = weights_after(1000 * i, steps); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(together, alone);
    EXPECT_EQ(Counts(), before);
}

}  // namespace
}  // namespace burn::fusion::training_test
