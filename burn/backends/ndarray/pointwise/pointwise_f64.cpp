#include <burn/backends/ndarray/pointwise/pointwise_loop.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

const PointwiseLoops kLoopsF64 = make_pointwise_loops<double>(ops::AllOps{});

}  // namespace burn::ndarray
