#pragma once

#include <cstdint>

namespace burn::ndarray {

/// What an instruction set offers to random numbers. All of them give the same bits.
struct RandomKernels {
    /// Blocks `counter` to `counter + blocks - 1` of the stream of a key (core/philox.h), four words each.
    void (*draw)(std::uint64_t key, std::uint64_t counter, std::int64_t blocks, std::uint32_t* words);

    /// mean + std times standard normal numbers, two from two words (ops/random.h); of an odd `count` the last from two words
    /// too.
    ///
    /// Numerics  the standard normal numbers within 4 ulp; product and sum are rounded once each
    void (*normal)(const std::uint32_t* words, std::int64_t count, float mean, float std, float* numbers);
};

/// The kernels of the active instruction set (cpu_features.h).
const RandomKernels& random_kernels();

// One source file per instruction set defines its own; those of other processors do not exist.
const RandomKernels& random_kernels_baseline();
const RandomKernels& random_kernels_avx2();
const RandomKernels& random_kernels_avx512();

}  // namespace burn::ndarray
