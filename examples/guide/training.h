#pragma once

#include "options.h"

namespace guide {

/// Trains and saves. Returns whether it came to its end; false when it was interrupted.
bool train(const Options& options);
/// Loads what `train` saved, shows a few predictions and the accuracy on all test images.
void infer(const Options& options);

}  // namespace guide
