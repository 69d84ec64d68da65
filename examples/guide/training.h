#pragma once

#include "config.h"
#include "options.h"

#include <burn/tensor/backend.h>

#include <vector>

namespace guide {

/// Trains and saves. Returns whether it came to its end; false when it was interrupted.
bool train(const Options& options);
/// Loads what `train` saved, shows a few predictions and the accuracy on all test images.
void infer(const Options& options);

/// A fresh training takes the place of an earlier one: no model may lie beside a config that is not its own.
void prepare_artifacts(const Options& options, const TrainingConfig& config);

/// `train` on one backend. A source file for each backend, train_on_*.cpp, so that each compiles quickly.
template <burn::Backend B>
bool train_on(const Options& options, const TrainingConfig& config);
/// The classes that the saved model gives the test images, on one backend: predict_on_*.cpp.
template <burn::Backend B>
std::vector<std::int64_t> predict_on(const Options& options);

}  // namespace guide
