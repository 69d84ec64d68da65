#pragma once

#include <burn/backends/ndarray/nd_tensor.h>

#include <cstddef>
#include <cstdint>

namespace burn::ndarray {

/// A run of elements that a reduction folds: `count` of them, `stride` bytes apart, the first being number `position` of
/// those that are reduced together.
struct ReduceRun {
    const std::byte* data;
    std::int64_t count;
    std::int64_t stride;
    std::int64_t position;
};

/// Runs side by side: element i of each belongs to result i.
struct ReduceBlock {
    ReduceRun first;
    std::int64_t runs;
    std::int64_t step;  ///< from run to run, in bytes; positions count on by 1
};

/// The inner loops of one reduction of one element type; accumulators are opaque bytes to the driver.
struct ReduceKernel {
    std::size_t accumulator_size;
    /// Makes `count` accumulators those of nothing.
    void (*start)(std::byte* accumulators, std::int64_t count);
    /// Folds the whole run into one accumulator.
    void (*fold_row)(std::byte* accumulator, const ReduceRun& run);
    /// Folds element i of every run into accumulator i, the runs in order.
    void (*fold_columns)(std::byte* accumulators, const ReduceBlock& block);
    /// Folds accumulators of later elements into those of earlier ones.
    void (*merge)(std::byte* accumulators, const std::byte* later, std::int64_t count);
    /// Writes results; `divisor` is the number of elements of a mean, and what it means for others is theirs.
    void (*finish)(const std::byte* accumulators, std::byte* results, std::int64_t count, std::int64_t stride,
                   double divisor);
};

/// Reduces `input` over `axes` (canonical) into `output`, whose shape has size 1 there.
///
/// Numerics  every result is folded in an order that depends on shapes and strides only: the same bits for any number of threads
void reduce(const ReduceKernel& kernel, const NdTensor& input, const NdTensor& output, const Dims& axes,
            double divisor = 1);

}  // namespace burn::ndarray
