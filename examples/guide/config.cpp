#include "config.h"

#include <burn/store/config_file.h>

namespace guide {

std::string config_file(const Options& options) { return options.artifacts + "/config.json"; }
std::string model_file(const Options& options) { return options.artifacts + "/model.bpk"; }
std::string optimizer_file(const Options& options) { return options.artifacts + "/optimizer.bpk"; }

TrainingConfig load_training_config(const Options& options) {
    return burn::load_config<TrainingConfig>(config_file(options));
}

void save_training_config(const TrainingConfig& config, const Options& options) {
    burn::save_config(config, config_file(options));
}

std::string identity_of(TrainingConfig config) {
    config.epochs = 0;
    return burn::to_json(config);
}

}  // namespace guide
