#include "predict_on.h"

#include <burn/backends/cpu/cpu.h>

namespace guide {

template std::vector<std::int64_t> predict_on<burn::Cpu>(const Options& options);

}  // namespace guide
