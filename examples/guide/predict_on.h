#pragma once

#include "config.h"
#include "model.h"
#include "training.h"

#include <burn/data/data_loader.h>
#include <burn/store/store.h>

namespace guide {

template <burn::Backend B>
std::vector<std::int64_t> predict_on(const Options& options) {
    using burn::data::DataLoaderBuilder;
    using burn::data::MnistDataset;
    const burn::Device<B> device;
    const auto config = load_training_config(options);
    Model<B> model = init_model(config.model, device);
    burn::load(model, model_file(options));
    auto optimizer = config.optimizer.init();
    burn::load(optimizer, optimizer_file(options));

    const MnistDataset images(options.data, MnistDataset::Part::Test);
    const auto loader =
        DataLoaderBuilder(Batcher<B>{device}).batch_size(config.batch_size).num_workers(options.workers).build(images);
    std::vector<std::int64_t> predictions;
    for (Batch<B>& batch : loader.epoch(0)) {
        const burn::TensorData classes = model.forward(std::move(batch.images)).argmax(1).to_data();
        for (std::int64_t i = 0; i < classes.numel(); ++i)
            predictions.push_back(static_cast<std::int64_t>(classes.at(i)));
    }
    return predictions;
}

}  // namespace guide
