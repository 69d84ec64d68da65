#include <burn/base/error.h>
#include <burn/core/philox.h>
#include <burn/data/random_order.h>

#include <algorithm>
#include <numeric>

namespace burn::data {

namespace {

/// Keeps these numbers apart from what a tensor engine draws under the same seed.
constexpr std::uint64_t kDomain = 0x6461'7461'206f'7264;  // "data ord"

}  // namespace

RandomNumbers::RandomNumbers(std::uint64_t seed, std::uint64_t stream) : key_(seed ^ kDomain), stream_(stream) {}

std::uint64_t RandomNumbers::next() {
    const auto words = philox4x32(key_, drawn_ / 2, stream_);
    const std::size_t half = drawn_++ % 2 * 2;
    return words[half] | std::uint64_t{words[half + 1]} << 32;
}

std::uint64_t RandomNumbers::below(std::uint64_t limit) {
    // The 2^64 mod limit lowest draws are rejected, so that what remains is a whole number of rounds.
    const std::uint64_t rejected = (0 - limit) % limit;
    std::uint64_t draw = next();
    while (draw < rejected) draw = next();
    return draw % limit;
}

std::vector<std::size_t> random_permutation(std::size_t size, std::uint64_t seed, std::uint64_t stream) {
    RandomNumbers numbers(seed, stream);
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t left = size; left > 1; --left) std::swap(order[left - 1], order[numbers.below(left)]);
    return order;
}

std::vector<std::size_t> random_sample(std::size_t size, std::size_t count, Replacement replacement, std::uint64_t seed,
                                       std::uint64_t stream) {
    if (size == 0 && count > 0) {
        raise(ErrorKind::Argument,
              Message() << "random_sample: " << count << " draws from nothing; expected at least one item");
    }
    RandomNumbers numbers(seed, stream);
    std::vector<std::size_t> drawn;
    drawn.reserve(count);
    if (replacement == Replacement::With) {
        while (drawn.size() < count) drawn.push_back(numbers.below(size));
        return drawn;
    }
    std::vector<std::size_t> round(size);
    std::iota(round.begin(), round.end(), std::size_t{0});
    for (std::size_t left = size; drawn.size() < count; --left) {
        if (left == 0) left = size;
        std::swap(round[left - 1], round[numbers.below(left)]);
        drawn.push_back(round[left - 1]);
    }
    return drawn;
}

}  // namespace burn::data
