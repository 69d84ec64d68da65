#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace burn::data {

/// Random numbers for orders of data: the same on every platform, compiler and library for a seed and a stream.
///
/// Different streams of one seed are independent, which gives every epoch an order of its own without any state.
///
/// Source    Philox4x32-10 (core/philox.h), two words a number
class RandomNumbers {
public:
    RandomNumbers(std::uint64_t seed, std::uint64_t stream);

    std::uint64_t next();
    /// A number from 0 to limit - 1, each equally likely; limit is at least 1.
    std::uint64_t below(std::uint64_t limit);

private:
    std::uint64_t key_;
    std::uint64_t stream_;
    std::uint64_t drawn_ = 0;
};

/// The numbers 0 to size - 1 in an order that depends on `seed` and `stream` only.
///
/// Source    Fisher and Yates; Durstenfeld, "Algorithm 235: Random permutation", CACM 7 (1964)
std::vector<std::size_t> random_permutation(std::size_t size, std::uint64_t seed, std::uint64_t stream);

enum class Replacement : std::uint8_t {
    Without,  ///< all numbers come before any comes again
    With,     ///< every draw is from all numbers
};

/// `count` numbers below `size`, drawn at random.
///
/// Errors    ArgumentError when count > 0 and size is 0
std::vector<std::size_t> random_sample(std::size_t size, std::size_t count, Replacement replacement, std::uint64_t seed,
                                       std::uint64_t stream);

}  // namespace burn::data
