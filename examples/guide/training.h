#pragma once

#include "model.h"
#include "options.h"

#include <burn/optim/adam.h>
#include <burn/optim/lr_scheduler.h>

namespace guide {

/// What a training is. Written into the artifacts, so that it can be resumed and its model be made again.
struct TrainingConfig {
    ModelConfig model;
    burn::optim::AdamConfig optimizer;
    double learning_rate = 1e-3;
    std::size_t epochs = 5;
    std::size_t batch_size = 64;
    std::uint64_t seed = 42;
    BURN_CONFIG(TrainingConfig, model, optimizer, learning_rate, epochs, batch_size, seed)
};

/// Files in the artifacts.
std::string config_file(const Options& options);
std::string model_file(const Options& options);
std::string optimizer_file(const Options& options);

/// Trains and saves. Returns whether it came to its end; false when it was interrupted.
bool train(const Options& options);
/// Loads what `train` saved, shows a few predictions and the accuracy on all test images.
void infer(const Options& options);

}  // namespace guide
