#pragma once

#include <burn/base/hash.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace burn::compiler {

/// What all segments that one plan serves have in common, as a row of words with a hash that grows with it.
///
/// Two keys are equal where their words are. The hash only finds candidates: that two keys share one costs a comparison.
class StructureKey {
public:
    StructureKey() = default;
    /// A copy keeps no room to grow.
    StructureKey(const StructureKey& other)
        : words_(other.words_.begin(), other.words_.begin() + static_cast<std::ptrdiff_t>(other.size_)),
          size_(other.size_), hash_(other.hash_) {}
    StructureKey& operator=(const StructureKey&) = delete;

    /// Appends `count` words, which `write(std::uint64_t* to)` writes.
    template <class Write>
    void append(std::size_t count, Write&& write) {
        if (size_ + count > words_.size()) words_.resize(std::bit_ceil(size_ + count));
        std::uint64_t* first = words_.data() + size_;
        write(first);
        std::uint64_t hash = hash_;
        for (std::size_t i = 0; i < count; ++i) hash = step(hash, first[i]);
        hash_ = hash;
        size_ += count;
    }
    void append(std::uint64_t word) {
        append(1, [word](std::uint64_t* to) { *to = word; });
    }
    void clear() { size_ = hash_ = 0; }

    std::uint64_t hash() const { return Hasher::mix(hash_); }
    std::span<const std::uint64_t> words() const { return {words_.data(), size_}; }
    bool operator==(const StructureKey& other) const {
        return size_ == other.size_ && hash_ == other.hash_ &&
               (size_ == 0 || std::memcmp(words_.data(), other.words_.data(), size_ * sizeof(std::uint64_t)) == 0);
    }

private:
    /// One multiplication a word: Hasher's three in a row would take longer than all else that recording does.
    static std::uint64_t step(std::uint64_t hash, std::uint64_t word) {
        return (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;
    }

    std::vector<std::uint64_t> words_;  ///< as many as there is room for
    std::size_t size_ = 0;
    std::uint64_t hash_ = 0;
};

}  // namespace burn::compiler
