#include "toy_backend.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

namespace {

using B = burn::Autodiff<toy::Toy>;

/// Two layers that learn the exclusive or of two bits; what the parameters are after each step is all the backend's work.
TEST(ToyBackend, TrainsANetworkUnderAutodiff) {
    const burn::Device<B> device;
    using Matrix = burn::Tensor<B, 2>;
    const auto x = Matrix::from({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, device);
    const auto target = Matrix::from({{0}, {1}, {1}, {0}}, device);
    Matrix parameters[] = {Matrix::from({{1.1, -0.8, 0.6, 0.9}, {0.7, 0.9, -1.2, 0.8}}, device),
                           Matrix::from({{0.0, 0.1, 0.0, -0.1}}, device),
                           Matrix::from({{0.5}, {0.6}, {0.7}, {-0.8}}, device), Matrix::from({{0.0}}, device)};
    double loss = 0;
    for (int step = 0; step < 400; ++step) {
        for (Matrix& parameter : parameters) parameter = parameter.detach().require_grad();
        const auto& [weight1, bias1, weight2, bias2] = parameters;
        const Matrix hidden = (x.matmul(weight1) + bias1).relu();
        const auto error = (hidden.matmul(weight2) + bias2 - target).square().sum();
        loss = error.to_data().at(0);
        const burn::Gradients gradients = error.backward();
        for (Matrix& parameter : parameters) {
            parameter = parameter.detach() - Matrix::from_inner(*parameter.grad(gradients)) * 0.05;
        }
    }
    EXPECT_LT(loss, 1e-3);
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

}  // namespace
