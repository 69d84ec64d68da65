#pragma once

#include "config.h"
#include "model.h"
#include "training.h"

#include <burn/data/data_loader.h>
#include <burn/optim/lr_scheduler.h>
#include <burn/store/store.h>
#include <burn/train/supervised_training.h>

namespace guide {

template <burn::Backend B>
bool train_on(const Options& options, const TrainingConfig& config) {
    using A = burn::Autodiff<B>;
    const burn::Device<A> device;
    using burn::data::DataLoaderBuilder;
    using burn::data::MnistDataset;
    namespace bt = burn::training;
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

}  // namespace guide
