#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>

namespace burn::fuzz {

namespace {

constexpr std::size_t kLargestInput = 64 << 10;

/// Integers at whose edges checks tend to be wrong.
std::uint64_t interesting(Random& random) {
    constexpr std::uint64_t kBases[] = {0,
                                        1,
                                        8,
                                        255,
                                        256,
                                        0x7f,
                                        0x8000,
                                        0xffff,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        0x100000000,
                                        0x3fffffffffffffff,
                                        0x7fffffffffffffff,
                                        0x8000000000000000,
                                        0xffffffffffffffff,
                                        100'000'000,
                                        100ull << 20};
    return kBases[random.below(std::size(kBases))] + random.below(3) - 1;
}

void overwrite(Random& random, std::string& input) {
    const std::size_t width = std::size_t{1} << random.below(4);
    if (input.size() < width) return;
    const std::size_t at = random.below(input.size() - width + 1);
    const std::uint64_t value = random.one_in(2) ? interesting(random) : random.next();
    const bool big = random.one_in(2);
    for (std::size_t i = 0; i < width; ++i) {
        input[at + i] = static_cast<char>(value >> 8 * (big ? width - 1 - i : i));
    }
}

/// Replaces a run of digits, as texts have them, by another number.
void change_number(Random& random, std::string& input) {
    const std::size_t from = random.below(input.size());
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto begin = std::find_if(input.begin() + static_cast<std::ptrdiff_t>(from), input.end(), is_digit);
    if (begin == input.end()) return;
    const auto end = std::find_if_not(begin, input.end(), is_digit);
    const std::uint64_t number = random.one_in(3) ? interesting(random) : random.below(300);
    const char* sign = random.one_in(12) ? "-" : "";
    const char* fraction = random.one_in(12) ? ".5" : "";
    input.replace(begin, end, sign + std::to_string(number) + fraction);
}

void change(Random& random, std::string& input, const std::string& other, std::span<const std::string> words) {
    if (input.empty()) {
        input = other;
        return;
    }
    const std::size_t at = random.below(input.size());
    const std::size_t length =
        1 + random.below(std::min<std::size_t>(input.size() - at, random.one_in(4) ? input.size() : 16));
    switch (random.below(10)) {
        case 0: input[at] = static_cast<char>(input[at] ^ (1 << random.below(8))); break;
        case 1: input[at] = static_cast<char>(random.next()); break;
        case 2: overwrite(random, input); break;
        case 3: change_number(random, input); break;
        case 4: input.erase(at, length); break;
        case 5: input.insert(random.below(input.size() + 1), input.substr(at, length)); break;
        case 6: input.resize(at); break;
        case 7: input.insert(at, std::string(1 + random.below(8), static_cast<char>(random.next()))); break;
        case 8:
            if (!words.empty()) {
                const std::string& word = words[random.below(words.size())];
                input.replace(at, random.one_in(2) ? 0 : std::min(length, word.size()), word);
            }
            break;
        default:
            if (!other.empty()) {
                const std::size_t from = random.below(other.size());
                input.replace(at, random.one_in(2) ? 0 : length, other.substr(from, 1 + random.below(64)));
            }
    }
}

}  // namespace

std::uint64_t Random::next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::string mutated(Random& random, std::string input, const std::string& other, std::span<const std::string> words) {
    for (std::size_t changes = 1 + random.below(random.one_in(3) ? 8 : 2); changes > 0; --changes) {
        change(random, input, other, words);
    }
    if (input.size() > kLargestInput) input.resize(kLargestInput);
    return input;
}

}  // namespace burn::fuzz
