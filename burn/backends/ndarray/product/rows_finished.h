// Who is told which rows of a result are finished, so that they are used while they lie in a cache.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/partition.h>
#include <burn/base/function_ref.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// Told that rows [first, last) of a result have their last sums. The calls together are every row once; they come from the
/// threads that finished the rows, several at once.
using RowsFinished = FunctionRef<void(int64_t first, int64_t last)>;

/// Tells of rows that were finished all together, `row_length` elements each, on several threads where that pays. Null: nobody.
inline void finish_rows(const RowsFinished* finished, int64_t first, int64_t last, int64_t row_length) {
    static constexpr int64_t kElements = 16 * 1024;  // worth a thread
    if (finished == nullptr || row_length < 1) return;
    parallel_for(last - first, ceil_div(kElements, row_length),
                 [&](int64_t begin, int64_t end) { (*finished)(first + begin, first + end); });
}

}  // namespace burn::ndarray
