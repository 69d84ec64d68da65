#include "training.h"

#include "backends.h"
#include "config.h"

#include <burn/base/error.h>

#include <filesystem>

namespace guide {

namespace {

/// The configuration from the command line and, when resuming, from the artifacts.
TrainingConfig config_of(const Options& options) {
    TrainingConfig config;
    if (options.resume) {
        config = load_training_config(options);
        if (options.seed.value_or(config.seed) != config.seed) {
            burn::raise(burn::ErrorKind::Argument, burn::Message()
                                                       << "--seed " << *options.seed << ": the training in "
                                                       << options.artifacts.c_str() << " has seed " << config.seed);
        }
    }
    config.epochs = options.epochs.value_or(config.epochs);
    config.seed = options.seed.value_or(config.seed);
    return config;
}

}  // namespace

void prepare_artifacts(const Options& options, const TrainingConfig& config) {
    std::error_code error;
    std::filesystem::create_directories(options.artifacts, error);
    for (const std::string& path : {model_file(options), optimizer_file(options)}) std::filesystem::remove(path, error);
    save_training_config(config, options);
}

bool train(const Options& options) {
    const TrainingConfig config = config_of(options);
    return with_backend(options.backend, [&]<burn::Backend B>() { return train_on<B>(options, config); });
}

}  // namespace guide
