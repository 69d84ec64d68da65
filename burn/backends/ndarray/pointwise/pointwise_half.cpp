#include <burn/backends/ndarray/pointwise/pointwise_loop.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

const PointwiseLoops kLoopsF16 = make_pointwise_loops<f16>(ops::AllOps{});
const PointwiseLoops kLoopsBF16 = make_pointwise_loops<bf16>(ops::AllOps{});

}  // namespace burn::ndarray
