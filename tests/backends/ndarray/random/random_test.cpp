#include <burn/backends/ndarray/random/random_kernels.h>
#include <burn/core/philox.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

/// The kernels of every instruction set give the numbers of the stream, and the same normal numbers.

namespace burn::ndarray::random_test {
namespace {

using burn::testing::for_each_isa;

TEST(NdArrayRandom, EveryInstructionSetDrawsTheStream) {
    constexpr std::uint64_t kMost = ~std::uint64_t{0};
    for_each_isa([] {
        for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}, kMost}) {
            // Counters whose lower half overflows among the blocks, and the whole.
            for (const std::uint64_t counter : {std::uint64_t{0}, std::uint64_t{0xfffffffd}, kMost - 4}) {
                for (const std::int64_t blocks : {1, 2, 3, 7, 8, 9, 31}) {
                    std::vector<std::uint32_t> words(static_cast<std::size_t>(blocks) * 4 + 1, 77);
                    random_kernels().draw(key, counter, blocks, words.data());
                    for (std::size_t i = 0; i + 1 < words.size(); ++i)
                        ASSERT_EQ(words[i], philox4x32(key, counter + i / 4)[i % 4]) << counter << ' ' << i;
                    ASSERT_EQ(words.back(), 77u);
                }
            }
        }
    });
}

/// Words with the ends of their range, the quarters of a turn, and what lies around them.
std::vector<std::uint32_t> telling_words() {
    std::vector<std::uint32_t> ends;
    for (const std::uint32_t middle :
         {0u, 0x40000000u, 0x80000000u, 0xc0000000u, 0xb504f334u, 0x5a82799au, 0x20000000u}) {
        for (std::uint32_t i = 0; i < 5; ++i) ends.push_back(middle + i - 2);
    }
    std::vector<std::uint32_t> words;
    for (const std::uint32_t first : ends) {
        for (const std::uint32_t second : ends) words.insert(words.end(), {first, second});
    }
    for (std::uint64_t block = 0; block < 20000; ++block) {
        for (const std::uint32_t word : philox4x32(3, block)) words.push_back(word);
    }
    return words;
}

/// The distance of neighbouring f32 numbers around x; 0 at 0.
double ulp_of(double x) { return x == 0 ? 0 : std::ldexp(1.0, std::ilogb(x) - 23); }

TEST(NdArrayRandom, NormalNumbersAreWithinAFewUlp) {
    const std::vector<std::uint32_t> words = telling_words();
    for_each_isa([&] {
        std::vector<float> numbers(words.size());
        random_kernels().normal(words.data(), static_cast<std::int64_t>(words.size()), 0, 1, numbers.data());
        for (std::size_t i = 0; i < words.size(); i += 2) {
            const double r = std::sqrt(-2 * std::log1p(-(4294967296.0 - words[i] - 0.5) * 0x1p-32));
            const double t = 2 * 3.14159265358979323846 * (words[i + 1] * 0x1p-32);
            // Within 4 ulp, and where the angle is a whole quarter, within what its sine is off in f64.
            for (const auto& [actual, expected] :
                 {std::pair(numbers[i], r * std::cos(t)), std::pair(numbers[i + 1], r * std::sin(t))}) {
                ASSERT_NEAR(static_cast<double>(actual), expected, 4 * ulp_of(expected) + 1e-14)
                    << words[i] << ' ' << words[i + 1];
            }
        }
    });
}

TEST(NdArrayRandom, EveryInstructionSetGivesTheSameNormalBits) {
    const std::vector<std::uint32_t> words = telling_words();
    std::vector<float> first;
    for_each_isa([&] {
        for (const std::size_t count :
             {words.size(), std::size_t{2}, std::size_t{31}, std::size_t{129}, std::size_t{254}}) {
            std::vector<float> numbers(count + 1, 77);
            random_kernels().normal(words.data(), static_cast<std::int64_t>(count), 0, 1, numbers.data());
            EXPECT_EQ(numbers.back(), 77);
            if (first.empty()) first = numbers;
            for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(numbers[i], first[i]) << count << ' ' << i;
        }
    });
}

TEST(NdArrayRandom, NormalNumbersAreScaledAndMoved) {
    const std::vector<std::uint32_t> words = telling_words();
    for_each_isa([&] {
        constexpr std::int64_t kCount = 101;
        float standard[kCount], numbers[kCount];
        random_kernels().normal(words.data(), kCount, 0, 1, standard);
        random_kernels().normal(words.data(), kCount, 0.75f, 3, numbers);
        for (std::int64_t i = 0; i < kCount; ++i) {
            const float product = 3 * standard[i];
            ASSERT_EQ(numbers[i], product + 0.75f) << i;
        }
    });
}

}  // namespace
}  // namespace burn::ndarray::random_test
