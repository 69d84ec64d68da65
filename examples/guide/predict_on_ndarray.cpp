#include "predict_on.h"

#include <burn/backends/ndarray/ndarray.h>

namespace guide {

template std::vector<std::int64_t> predict_on<burn::NdArray>(const Options& options);

}  // namespace guide
