#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/table.h>
#include <burn/ops/run_table.h>

namespace burn::ndarray {

const Table kTable = {
    ops::make_run_table<Args>(ops::AllOps{}),
    {&kLoopsF64, &kLoopsF32, &kLoopsF16, &kLoopsBF16, &kLoopsI64, &kLoopsI32, &kLoopsI16, &kLoopsI8, &kLoopsU64,
     &kLoopsU32, &kLoopsU16, &kLoopsU8, &kLoopsBool},
};

}  // namespace burn::ndarray
