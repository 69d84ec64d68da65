#include <burn/backends/ndarray/pointwise/pointwise_loop.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

const PointwiseLoops kLoopsU64 = make_pointwise_loops<std::uint64_t>(ops::AllOps{});
const PointwiseLoops kLoopsU32 = make_pointwise_loops<std::uint32_t>(ops::AllOps{});
const PointwiseLoops kLoopsU16 = make_pointwise_loops<std::uint16_t>(ops::AllOps{});
const PointwiseLoops kLoopsU8 = make_pointwise_loops<std::uint8_t>(ops::AllOps{});

}  // namespace burn::ndarray
