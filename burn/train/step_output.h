#pragma once

#include <burn/tensor/tensor.h>

namespace burn::training {

/// What a step of a classifier gives, for the metrics.
///
/// Shapes    loss [1], the mean over the batch; output [items, classes]; targets [items]
template <Backend B>
struct ClassificationOutput {
    Tensor<B, 1> loss;
    Tensor<B, 2> output;
    Tensor<B, 1, Int> targets;
};

/// What a step of a regression gives, for the metrics.
///
/// Shapes    loss [1], the mean over the batch; output, targets [items, values]
template <Backend B>
struct RegressionOutput {
    Tensor<B, 1> loss;
    Tensor<B, 2> output;
    Tensor<B, 2> targets;
};

/// What a training step gives: where to go, and how it went.
template <class Output>
struct TrainOutput {
    Gradients gradients;
    Output output;
};
template <class Output>
TrainOutput(Gradients, Output) -> TrainOutput<Output>;

/// A model with `train_step(batch)`, which runs forward and backward and gives a TrainOutput.
///
/// Example   auto train_step(Batch batch) const {
///               auto result = classify(std::move(batch));
///               auto gradients = result.loss.backward();
///               return burn::training::TrainOutput{std::move(gradients), std::move(result)};
///           }
template <class M, class Batch>
concept TrainStep = requires(const M& model, Batch batch) {
    { model.train_step(std::move(batch)).gradients } -> std::convertible_to<Gradients&&>;
    model.train_step(std::move(batch)).output;
};

/// A model with `valid_step(batch)`, which runs forward and gives an output for the metrics.
template <class M, class Batch>
concept ValidStep =
    requires(const M& model, Batch batch) { requires !std::is_void_v<decltype(model.valid_step(std::move(batch)))>; };

}  // namespace burn::training
