#pragma once

#include <burn/ops/handle.h>

/// Whether numbers are nearly equal, and whether any is none.

namespace burn::ops {

/// |a - b| <= atol + rtol |b|, or equal infinities; NaN is close to nothing.
///
/// Shapes    a and b broadcast; the result is Bool
/// DTypes    Float, one for both
/// Source    numpy.isclose
Handle is_close(Handle a, Handle b, double rtol, double atol);
/// Whether all elements are close, of shape [1].
Handle all_close(Handle a, Handle b, double rtol, double atol);
/// Whether any element is NaN, of shape [1].
Handle contains_nan(Handle x);

}  // namespace burn::ops
