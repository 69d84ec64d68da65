#include <burn/backends/ndarray/pointwise/pointwise_loop.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

const PointwiseLoops kLoopsI64 = make_pointwise_loops<std::int64_t>(ops::AllOps{});
const PointwiseLoops kLoopsI32 = make_pointwise_loops<std::int32_t>(ops::AllOps{});
const PointwiseLoops kLoopsI16 = make_pointwise_loops<std::int16_t>(ops::AllOps{});
const PointwiseLoops kLoopsI8 = make_pointwise_loops<std::int8_t>(ops::AllOps{});
const PointwiseLoops kLoopsBool = make_pointwise_loops<bool>(ops::AllOps{});

}  // namespace burn::ndarray
