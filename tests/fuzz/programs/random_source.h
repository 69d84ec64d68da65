#pragma once

#include "tests/fuzz/programs/program.h"

#include <burn/core/tensor_data.h>

namespace burn::fuzz {

/// A stream of random numbers, the same for the same seed on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {  // splitmix64
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// In [0, bound); 0 where there is nothing to choose from.
    std::int64_t below(std::int64_t bound) {
        return bound <= 0 ? 0 : static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
    }
    std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
    bool one_in(std::int64_t n) { return below(n) == 0; }
    /// In [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    template <class List>
    decltype(auto) pick(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(list))))];
    }

private:
    std::uint64_t state_;
};

/// The elements of an input.
TensorData make_data(const Source& source);

}  // namespace burn::fuzz
