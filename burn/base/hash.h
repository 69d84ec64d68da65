#pragma once

#include <cstddef>
#include <cstdint>

namespace burn {

/// A rolling 64-bit hash.
///
/// Source    the finaliser of SplitMix64 (Steele, Lea, Flood, 2014) as mixing function
class Hasher {
public:
    void add(std::uint64_t value) {
        state_ += 0x9e3779b97f4a7c15u + value;
        state_ = mix(state_);
    }
    void add_bytes(const void* bytes, std::size_t size) {
        const auto* byte = static_cast<const unsigned char*>(bytes);
        for (std::size_t i = 0; i < size; ++i) add(byte[i]);
        add(size);
    }
    std::uint64_t value() const { return state_; }

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_ = 0;
};

}  // namespace burn
