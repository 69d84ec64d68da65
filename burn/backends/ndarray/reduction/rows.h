#pragma once

#include <burn/backends/ndarray/args.h>
#include <burn/base/function_ref.h>

namespace burn::ndarray {

/// A tensor packed so that the elements along some axes are rows, one behind the other.
class Rows {
public:
    /// Memory    no copy when the axes are the last ones of a contiguous tensor
    Rows(const NdTensor& tensor, const Dims& axes);

    std::int64_t count() const { return count_; }
    std::int64_t length() const { return length_; }
    template <class T>
    const T* row(std::int64_t index) const {
        return NdTensor::of(packed_).data<const T>() + index * length_;
    }
    /// A tensor of the same rows, whose values are in `block`, with its axes in their places.
    ops::Handle unpack(ops::Engine& engine, DType dtype, Ref<Block> block) const;
    /// Memory for as many elements of a type.
    Ref<Block> make_block(DType dtype) const {
        return Block::make(static_cast<std::size_t>(count_ * length_) * size_of(dtype));
    }

private:
    ops::Handle packed_;
    Dims back_;  ///< where each axis of the tensor went
    std::int64_t count_ = 0;
    std::int64_t length_ = 1;
};

/// Calls `body(begin, end)` on ranges of `count` rows, on several threads when they have enough elements.
void for_rows(std::int64_t count, std::int64_t length, FunctionRef<void(std::int64_t begin, std::int64_t end)> body);

}  // namespace burn::ndarray
