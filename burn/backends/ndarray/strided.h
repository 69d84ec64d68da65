#pragma once

#include <burn/base/function_ref.h>
#include <burn/core/layout.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace burn::ndarray {

/// The most tensors that one strided loop walks together: a result and three operands.
constexpr std::size_t kMaxOperands = 4;

/// One run of a strided loop: `count` elements of every tensor, `strides` bytes apart.
struct StridedRun {
    std::array<std::byte*, kMaxOperands> data;
    std::array<std::int64_t, kMaxOperands> strides;
    std::int64_t count;
};

/// Several tensors of one shape, walked together; axes that step evenly in all of them are joined, so that runs are long.
///
/// The driver is written once and knows no element type; the body is the inner loop of an operation.
class StridedLoop {
public:
    explicit StridedLoop(const Shape& shape) : shape_(shape) {}

    /// Adds a tensor whose layout has the loop's shape.
    void add(std::byte* base, const Layout& layout, std::size_t element_size);
    /// Adds a tensor whose size-1 axes are repeated to the loop's shape.
    void add_broadcast(std::byte* base, const Layout& layout, std::size_t element_size);

    /// Calls `body` for every run, on several threads when there is enough to do. Runs write different elements.
    ///
    /// Units    cost: the work of one element in cheap operations; more than 1 where each stands for a row or a window
    void run(FunctionRef<void(const StridedRun&)> body, std::int64_t cost = 1);
    /// The same on the calling thread, in row-major order.
    void run_in_order(FunctionRef<void(const StridedRun&)> body);

private:
    void collapse();
    void run_range(FunctionRef<void(const StridedRun&)> body, std::int64_t begin, std::int64_t end) const;

    Shape shape_;
    std::size_t tensors_ = 0;
    std::array<std::byte*, kMaxOperands> data_{};
    std::array<Dims, kMaxOperands> strides_{};  ///< in bytes
};

/// Results from this size on go past the caches where kernels can: what reads them next would hardly find them there, and lines that
/// are written need not be read before.
constexpr std::int64_t kStreamedBytes = std::int64_t{8} << 20;

/// Copies the elements of a run's second tensor to its first.
void copy_run(std::size_t element_size, const StridedRun& run);

/// Copies every element of one view to the same place of another.
void copy_strided(std::size_t element_size, std::byte* to, const Layout& to_layout, const std::byte* from,
                  const Layout& from_layout);

}  // namespace burn::ndarray
