#include "toy_backend.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/nn/linear.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/optim/adam.h>
#include <burn/tensor/tensor.h>

#include "tests/conformance/not_covered.h"
#include "tests/conformance/run_case.h"

#include <gtest/gtest.h>

#include <set>

namespace toy_backend_test {
namespace {

using B = burn::Autodiff<toy::Toy>;

template <burn::Backend B>
struct Mlp {
    burn::nn::Linear<B> inner, outer;
    BURN_MODULE(Mlp, inner, outer)

    burn::Tensor<B, 2> forward(burn::Tensor<B, 2> x) const { return outer.forward(inner.forward(x).relu()); }
};

/// Learns the exclusive or of two bits: linear layers, relu, softmax cross entropy and Adam are all made of toy's own primitives.
TEST(ToyBackend, TrainsANetworkUnderAutodiff) {
    const burn::Device<B> device;
    device.seed(3);
    const auto x = burn::Tensor<B, 2>::from({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, device);
    const auto classes = burn::Tensor<B, 1, burn::Int>::from({0, 1, 1, 0}, device);
    Mlp<B> model{burn::nn::LinearConfig{2, 16}.init(device), burn::nn::LinearConfig{16, 2}.init(device)};
    auto optimizer = burn::optim::AdamConfig{}.init();
    const auto loss_of = [&] { return burn::nn::loss::CrossEntropyLoss<B>{}.forward(model.forward(x), classes); };
    const double before = loss_of().to_data().at(0);
    for (int step = 0; step < 200; ++step) {
        auto gradients = burn::optim::GradientsParams::from_grads(loss_of().backward(), model);
        model = optimizer.step(0.02, std::move(model), std::move(gradients));
    }
    EXPECT_GT(before, 0.5);
    EXPECT_LT(loss_of().to_data().at(0), 0.05);
}

TEST(ToyBackend, NamesAPrimitiveThatItLacks) {
    const burn::Device<toy::Toy> device;
    try {
        burn::Tensor<toy::Toy, 1>::from({1.0}, device).sin();
        FAIL() << "toy has no sine";
    } catch (const burn::UnsupportedError& error) {
        EXPECT_STREQ(error.what(), "sin: the backend toy does not run this primitive");
    }
}

TEST(ToyBackend, RunsCompositesByTheirParts) {
    const burn::Device<toy::Toy> device;
    EXPECT_FALSE(device.engine().runs(burn::ops::OpCode::relu));
    const auto y = burn::Tensor<toy::Toy, 1>::from({-1.0, 2.0}, device).relu().to_data();
    EXPECT_EQ(y.at(0), 0);
    EXPECT_EQ(y.at(1), 2);
}

/// A backend with few operations goes through the conformance suite: what it runs is right, what it lacks is named.
TEST(ToyBackend, GoesThroughTheConformanceSuite) {
    using namespace burn::conformance;
    const TestedBackend backend{"toy", []() -> burn::ops::Engine& { return toy::Toy::engine(0); },
                                []() -> burn::ops::Engine& { return B::engine(0); }};
    int right = 0;
    std::set<std::string> lacking;
    for (const char* name : {"activation", "matmul", "pointwise", "reductions", "shape"}) {
        const Family family = load_family(std::string("tests/data-files/oracle/") + name);
        for (const Case& oracle_case : family.cases) {
            if (skip_reason(oracle_case) != nullptr || oracle_case.dtype.has_value())
                continue;  // toy rounds to no dtype
            bool lacks = false;
            for (const Failure& failure : run_case(backend, family, oracle_case)) {
                EXPECT_NE(failure.lacks, "") << oracle_case.name << ": " << failure.where << ": " << failure.what;
                if (!failure.placing) lacking.insert(failure.lacks);
                lacks = lacks || !failure.placing;
            }
            if (!lacks) ++right;
        }
    }
    EXPECT_GT(right, 50);
    EXPECT_EQ(lacking.count("sin"), 1u);
    EXPECT_EQ(lacking.count("add"), 0u);
}

}  // namespace
}  // namespace toy_backend_test
