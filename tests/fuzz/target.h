#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace burn::fuzz {

/// Something that takes bytes of strangers.
struct Target {
    const char* name;
    /// Well-formed inputs to begin from.
    std::vector<std::string> (*seeds)();
    /// Words and byte strings that mean something in the format.
    std::vector<std::string> words;
    /// Takes an input whole. Raises a burn error of a kind that bytes can be at fault for, or nothing; whatever else
    /// happens is a fault of ours. Throws std::logic_error when a result contradicts itself.
    void (*run)(std::span<const std::byte> input);
    /// Makes lengths and checksums fit again after a change, so that mutations get behind them. May be null.
    std::string (*repair)(std::string input);
    /// A run may allocate this many bytes for each byte of its input, and `kAllowance` on top.
    std::size_t bytes_per_byte;
};

constexpr std::size_t kAllowance = 1 << 20;

std::span<const Target> reader_targets();

}  // namespace burn::fuzz
