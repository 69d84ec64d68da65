#pragma once

#include <burn/base/small_vector.h>
#include <burn/core/dtype.h>
#include <burn/core/shape.h>

namespace burn {

/// What is known of a tensor without its values.
struct TensorSpec {
    Shape shape;
    DType dtype = DType::F32;

    std::size_t rank() const { return shape.rank(); }
    bool operator==(const TensorSpec&) const = default;
};

using SpecList = SmallVector<TensorSpec, 3>;

}  // namespace burn
