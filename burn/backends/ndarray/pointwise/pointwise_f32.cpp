#include <burn/backends/ndarray/pointwise/pointwise_loop.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

const PointwiseLoops kLoopsF32 = make_pointwise_loops<float>(ops::AllOps{});

}  // namespace burn::ndarray
