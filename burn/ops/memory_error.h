#pragma once

#include <burn/base/memory_error.h>
#include <burn/ops/any_op.h>

namespace burn::ops {

/// Runs `body`, which makes the results of `op`; an OutOfMemoryError of it then names them.
///
/// Example   matmul: result f32 [40000, 40000]: cannot allocate 6400000000 bytes for a tensor
template <class Body>
decltype(auto) with_memory_errors_of(const AnyOp& op, const SpecList& results, Body body) {
    const auto what = [&] {
        Message text;
        text << op.name() << ": result";
        for (const TensorSpec& result : results) text << ' ' << result.dtype << ' ' << result.shape;
        return text;
    };
    return burn::with_memory_errors_of(what, body);
}

}  // namespace burn::ops
