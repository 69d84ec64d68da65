// How work is cut into pieces.
#pragma once

#include <cstdint>

namespace burn::ndarray {

/// Multiplications that keep one thread busy for about as long as waking another takes: the grain of parallel loops.
constexpr int64_t kThreadWork = int64_t{1} << 19;

/// a / b, rounded up; a >= 0, b > 0.
constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Where piece `index` begins when `count` things are cut into `pieces` of nearly equal size.
constexpr int64_t cut(int64_t count, int64_t pieces, int64_t index) {
    return count / pieces * index + count % pieces * index / pieces;
}

constexpr int64_t min_of(int64_t a, int64_t b) { return a < b ? a : b; }

constexpr int64_t max_of(int64_t a, int64_t b) { return a > b ? a : b; }

/// `count` things in `pieces` > 0 of nearly equal size, the larger ones first. Finding a piece takes no division, which between small
/// tiles would count.
class EqualPieces {
public:
    constexpr EqualPieces(int64_t count, int64_t pieces) : size_(count / pieces), larger_(count % pieces) {}

    /// Where piece `index` begins; index = pieces: the end.
    constexpr int64_t begin(int64_t index) const { return index * size_ + min_of(index, larger_); }

private:
    int64_t size_, larger_;
};

}  // namespace burn::ndarray
