#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace burn::fuzz {

/// Numbers that are the same for the same seed everywhere.
///
/// Source    SplitMix64 (Steele, Lea, Flood, 2014)
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    /// 0 to bound - 1.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
    bool one_in(std::size_t n) { return below(n) == 0; }

private:
    std::uint64_t state_;
};

/// Changes an input in one to eight places: bits, bytes, integers of every width and order, digits of numbers, words of the
/// format, pieces taken out, doubled, moved or taken from `other`.
std::string mutated(Random& random, std::string input, const std::string& other, std::span<const std::string> words);

}  // namespace burn::fuzz
