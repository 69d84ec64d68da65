#include <burn/backends/ndarray/make_table.h>

namespace burn::ndarray {

const Table kTable = {
    make_run_table(ops::AllOps{}),
    {&kLoopsF64, &kLoopsF32, &kLoopsF16, &kLoopsBF16, &kLoopsI64, &kLoopsI32, &kLoopsI16, &kLoopsI8, &kLoopsU64, &kLoopsU32,
     &kLoopsU16, &kLoopsU8, &kLoopsBool},
};

}  // namespace burn::ndarray
