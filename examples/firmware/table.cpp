#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/pointwise/pointwise_loop.h>
#include <burn/backends/ndarray/table.h>
#include <burn/ops/run_table.h>

// What this firmware's network uses; the linker leaves out every other operation and type.

namespace burn::ndarray {

namespace {

using FirmwareOps = ops::OpList<ops::PointwiseOp<ops::OpCode::add>, ops::PointwiseOp<ops::OpCode::relu>, ops::Reshape,
                                ops::Permute, ops::Expand, ops::MatMul, ops::Linear>;

constexpr PointwiseLoops kLoops = make_pointwise_loops<float>(FirmwareOps{});

}  // namespace

constexpr Table kFirmwareTable = [] {
    Table table{};
    table.run = ops::make_run_table<Args>(FirmwareOps{});
    table.loops[static_cast<std::size_t>(DType::F32)] = &kLoops;
    return table;
}();
const Table kTable = kFirmwareTable;

}  // namespace burn::ndarray
