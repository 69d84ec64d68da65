#pragma once

#include "options.h"

#include <burn/module/config.h>
#include <burn/optim/adam.h>

#include <string>

namespace guide {

/// Sizes of the model.
struct ModelConfig {
    std::int64_t classes = 10;
    std::int64_t hidden = 512;
    double dropout = 0.5;
    BURN_CONFIG(ModelConfig, classes, hidden, dropout)
};

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

/// The configuration that a training left in the artifacts.
///
/// Errors    IoError, ParseError naming the file
TrainingConfig load_training_config(const Options& options);
void save_training_config(const TrainingConfig& config, const Options& options);
/// The configuration as text, without what may differ between a training and its continuation.
std::string identity_of(TrainingConfig config);

}  // namespace guide
