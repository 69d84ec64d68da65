#include "train_on.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/decorators/autodiff/autodiff.h>

namespace guide {

template bool train_on<burn::Cpu>(const Options& options, const TrainingConfig& config);

}  // namespace guide
