// The guide's training step, timed: one line with the median milliseconds of a step.
//
// usage: guide_step [--backend ndarray|cpu] [--steps N] [--flat] [--first]
//
// With --flat it makes 1,000 steps and fails unless live memory blocks, graph nodes and resident memory stay where they were.
// With --first it prints the milliseconds from there being no model to the loss of the first step.

#include "../examples/guide/model.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/decorators/autodiff/grad_node.h>
#include <burn/optim/adam.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// Resident memory in KiB.
long resident() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
    }
    return 0;
}

template <class B>
class Training {
public:
    Training() {
        device_.seed(0);
        model_ = guide::init_model(guide::ModelConfig{}, device_);
        images_ = burn::Tensor<B, 3>::random({64, 28, 28}, burn::Distribution::normal(0, 1), device_);
        targets_ = burn::Tensor<B, 1, burn::Int>::random({64}, burn::Distribution::uniform(0, 10), device_);
    }

    double step() {
        auto output = model_.train_step({images_, targets_});
        auto gradients = burn::optim::GradientsParams::from_grads(std::move(output.gradients), model_);
        model_ = optimizer_.step(1e-3, std::move(model_), std::move(gradients));
        return output.output.loss.to_data().at(0);
    }

private:
    burn::Device<B> device_;
    guide::Model<B> model_;
    burn::optim::Optimizer optimizer_ = burn::optim::AdamConfig{}.init();
    burn::Tensor<B, 3> images_;
    burn::Tensor<B, 1, burn::Int> targets_;
};

template <class B>
int check_flat(Training<B>& training) {
    for (int i = 0; i < 50; ++i) training.step();
    const auto blocks = burn::memory_report().live_blocks;
    const auto nodes = burn::autodiff::GradNode::live_count();
    const long memory = resident();
    for (int i = 0; i < 1000; ++i) training.step();
    const long grown = resident() - memory;
    std::printf("1000 steps: blocks %+lld, nodes %+lld, resident memory %+ld KiB of %ld\n",
                static_cast<long long>(burn::memory_report().live_blocks - blocks),
                static_cast<long long>(burn::autodiff::GradNode::live_count() - nodes), grown, memory);
    return burn::memory_report().live_blocks == blocks && burn::autodiff::GradNode::live_count() == nodes &&
                   grown < 1024
               ? 0
               : 1;
}

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

template <class B>
int run_first() {
    const auto begin = Clock::now();
    Training<B> training;
    training.step();
    std::printf("%.3f\n", milliseconds_since(begin));
    return 0;
}

/// Prints the median time of a step.
template <class B>
int run(int steps) {
    Training<B> training;
    std::vector<double> times;
    double loss = 0;
    for (int i = 0; i < steps + 10; ++i) {
        const auto begin = Clock::now();
        loss = training.step();
        if (i >= 10) times.push_back(milliseconds_since(begin));
    }
    if (!(loss < 2.5)) {
        std::fprintf(stderr, "the step does not learn: loss %g\n", loss);
        return 1;
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    std::printf("%.3f\n", times[times.size() / 2]);
    return 0;
}

struct Options {
    int steps = 100;
    bool flat = false, first = false;
};

template <class B>
int run(const Options& options) {
    if (options.first) return run_first<B>();
    if (options.flat) {
        Training<B> training;
        return check_flat(training);
    }
    return run<B>(options.steps);
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    std::string backend = "ndarray";
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(arguments[i], "--flat") == 0) options.flat = true;
        if (std::strcmp(arguments[i], "--first") == 0) options.first = true;
        if (std::strcmp(arguments[i], "--steps") == 0 && i + 1 < count) options.steps = std::atoi(arguments[++i]);
        if (std::strcmp(arguments[i], "--backend") == 0 && i + 1 < count) backend = arguments[++i];
    }
    if (backend == "cpu") return run<burn::Autodiff<burn::Cpu>>(options);
    return run<burn::Autodiff<burn::NdArray>>(options);
}
