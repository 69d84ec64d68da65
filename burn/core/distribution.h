#pragma once

#include <cstdint>

namespace burn {

/// Which law random numbers follow.
enum class RandomLaw : std::uint8_t {
    Default,  ///< what is usual for the kind: [0, 1) for Float, [0, 256) for Int ([0, 128) for i8), a fair coin for Bool
    Uniform,    ///< [low, high), which never reaches `high`; whole numbers for Int
    Bernoulli,  ///< 1 or true with a probability, else 0 or false
    Normal,     ///< mean and standard deviation; Float only
};

/// A law and its parameters.
///
/// Example   Tensor<B, 2>::random({32, 32}, Distribution::normal(0, 0.02), device)
struct Distribution {
    RandomLaw law = RandomLaw::Default;
    double a = 0;  ///< low, probability or mean
    double b = 1;  ///< high or standard deviation

    static constexpr Distribution uniform(double low = 0, double high = 1) { return {RandomLaw::Uniform, low, high}; }
    static constexpr Distribution bernoulli(double probability) { return {RandomLaw::Bernoulli, probability, 1}; }
    static constexpr Distribution normal(double mean = 0, double std = 1) { return {RandomLaw::Normal, mean, std}; }

    bool operator==(const Distribution&) const = default;
};

}  // namespace burn
