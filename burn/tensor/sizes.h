#pragma once

#include <burn/base/exact_integer.h>
#include <burn/core/shape.h>

#include <concepts>

namespace burn {

/// Exactly `N` integers, one for each axis: a shape, axes, a permutation. Writing another number of them does not compile.
///
/// Example   Tensor<B, 2>::zeros({2, 3}, device)
template <std::size_t N>
class Sizes {
public:
    /// Errors    ShapeError naming a number that no 64-bit signed integer has
    template <std::integral... T>
        requires(sizeof...(T) == N)
    constexpr Sizes(T... values)  // NOLINT: written as {2, 3}
        : values_{exact_integer<std::int64_t>(values, ErrorKind::Shape, "a size")...} {}

    /// From a shape known at run time.
    ///
    /// Errors    ShapeError when its rank is not N
    Sizes(const Shape& shape) : values_(shape) {  // NOLINT
        if (shape.rank() != N) {
            raise(ErrorKind::Shape, Message()
                                        << "shape " << shape << " has rank " << shape.rank() << "; expected " << N);
        }
    }

    constexpr const Shape& shape() const { return values_; }

private:
    Shape values_;
};

template <std::integral... T>
Sizes(T...) -> Sizes<sizeof...(T)>;

}  // namespace burn
