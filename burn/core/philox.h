#pragma once

#include <array>
#include <cstdint>

namespace burn {

/// The numbers that Philox4x32-10 is made of.
struct PhiloxNumbers {
    static constexpr int kRounds = 10;
    static constexpr std::uint32_t kMultipliers[2] = {0xD2511F53u, 0xCD9E8D57u};
    static constexpr std::uint32_t kKeySteps[2] = {0x9E3779B9u, 0xBB67AE85u};
};

/// Four random 32-bit words for one key and one 128-bit counter; a pure function, so any element can be drawn anywhere.
///
/// Source    Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011
constexpr std::array<std::uint32_t, 4> philox4x32(std::uint64_t key, std::uint64_t counter_low,
                                                  std::uint64_t counter_high = 0) {
    std::uint32_t k0 = static_cast<std::uint32_t>(key);
    std::uint32_t k1 = static_cast<std::uint32_t>(key >> 32);
    std::array<std::uint32_t, 4> x = {
        static_cast<std::uint32_t>(counter_low), static_cast<std::uint32_t>(counter_low >> 32),
        static_cast<std::uint32_t>(counter_high), static_cast<std::uint32_t>(counter_high >> 32)};
    for (int round = 0; round < PhiloxNumbers::kRounds; ++round) {
        const std::uint64_t p0 = std::uint64_t{PhiloxNumbers::kMultipliers[0]} * x[0];
        const std::uint64_t p1 = std::uint64_t{PhiloxNumbers::kMultipliers[1]} * x[2];
        x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p0)};
        k0 += PhiloxNumbers::kKeySteps[0];
        k1 += PhiloxNumbers::kKeySteps[1];
    }
    return x;
}

}  // namespace burn
