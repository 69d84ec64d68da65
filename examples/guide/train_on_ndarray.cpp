#include "train_on.h"

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>

namespace guide {

template bool train_on<burn::NdArray>(const Options& options, const TrainingConfig& config);

}  // namespace guide
