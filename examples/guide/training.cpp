#include "training.h"

#include "backends.h"
#include "config.h"
#include "model.h"

#include <burn/data/data_loader.h>
#include <burn/optim/lr_scheduler.h>
#include <burn/store/store.h>
#include <burn/train/supervised_training.h>

#include <filesystem>

namespace guide {

using burn::data::DataLoaderBuilder;
using burn::data::MnistDataset;
namespace bt = burn::training;

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

/// A fresh training takes the place of an earlier one: no model may lie beside a config that is not its own.
void prepare_artifacts(const Options& options, const TrainingConfig& config) {
    std::error_code error;
    std::filesystem::create_directories(options.artifacts, error);
    for (const std::string& path : {model_file(options), optimizer_file(options)}) std::filesystem::remove(path, error);
    save_training_config(config, options);
}

template <burn::Backend B>
bool train_on(const Options& options, const TrainingConfig& config) {
    using A = burn::Autodiff<B>;
    const burn::Device<A> device;
    const MnistDataset train_images(options.data, MnistDataset::Part::Train);
    const MnistDataset test_images(options.data, MnistDataset::Part::Test);
    prepare_artifacts(options, config);

    device.seed(config.seed);
    const auto train_loader = DataLoaderBuilder(Batcher<A>{device})
                                  .batch_size(config.batch_size)
                                  .shuffle(config.seed)
                                  .num_workers(options.workers)
                                  .build(train_images);
    const auto test_loader = DataLoaderBuilder(Batcher<B>{burn::Device<B>()})
                                 .batch_size(config.batch_size)
                                 .num_workers(options.workers)
                                 .build(test_images);
    const bt::Interrupter interrupter;
    const bt::InterruptOnSignals on_signals(interrupter);
    auto training = bt::SupervisedTraining(options.artifacts, train_loader, test_loader)
                        .metrics(bt::LossMetric(), bt::AccuracyMetric())
                        .num_epochs(config.epochs)
                        .identity(identity_of(config))
                        .interrupter(interrupter);
    if (options.resume) training.resume();

    const auto result = training.launch(bt::Learner{
        init_model(config.model, device),
        config.optimizer.init(),
        burn::optim::ConstantLrSchedulerConfig{config.learning_rate}.init(),
    });
    if (!result.outcome.interrupted.empty()) {
        if (result.outcome.epochs_done > 0) std::fprintf(stderr, "guide: --resume goes on with it\n");
        return false;
    }
    burn::save(result.learner.optimizer, optimizer_file(options));
    burn::save(result.learner.model, model_file(options));
    bt::StandardOutput().write("saved " + model_file(options) + ", " + optimizer_file(options) + ", " +
                               config_file(options) + "\n");
    return true;
}

}  // namespace

bool train(const Options& options) {
    return with_backend(options.backend, [&]<burn::Backend B>() { return train_on<B>(options, config_of(options)); });
}

}  // namespace guide
