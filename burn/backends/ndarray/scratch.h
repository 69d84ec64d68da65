// Working memory of the matrix product and convolution kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include <burn/base/memory.h>

namespace burn::ndarray {

/// An array of `count` uninitialised T for one scope, from the block cache (release_cached_memory gives it back).
///
/// Errors    OutOfMemoryError
template <class T>
class Scratch {
public:
    explicit Scratch(int64_t count) : block_(Block::make(static_cast<std::size_t>(count) * sizeof(T))) {}
    T* data() { return reinterpret_cast<T*>(block_->data()); }
    T& operator[](int64_t i) { return data()[i]; }
    const T& operator[](int64_t i) const { return reinterpret_cast<const T*>(block_->data())[i]; }

private:
    Ref<Block> block_;
};

}  // namespace burn::ndarray
