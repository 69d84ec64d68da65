#include <burn/compiler/shared_divisor.h>
#include <burn/kernel/interpret.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace burn::compiler::shared_divisor_test {
namespace {

constexpr std::uint16_t kLanes = 8;

/// What a kernel makes of x / divisor, some elements at a time.
std::vector<float> quotients(std::vector<float> x, float divisor) {
    x.resize((x.size() + kLanes - 1) / kLanes * kLanes, 1);
    kernel::Builder k("divide");
    const kernel::Place from = k.buffer(DType::F32, kernel::Access::Read),
                        to = k.buffer(DType::F32, kernel::Access::Write);
    const SharedDivisor shared(k.scalar(DType::F32));
    const kernel::Value first = k.cube_index() * kLanes;
    to.store(first, shared.divide(from.load(first, kLanes)));
    std::vector<float> y(x.size());
    const auto count = static_cast<std::int64_t>(x.size());
    std::uint32_t word = 0;
    std::memcpy(&word, &divisor, sizeof(word));
    const std::uint64_t bits = word;
    const kernel::BufferElements buffers[] = {{reinterpret_cast<std::byte*>(x.data()), count},
                                              {reinterpret_cast<std::byte*>(y.data()), count}};
    kernel::interpret(k.finish(), buffers, {&bits, 1}, 0, count / kLanes);
    return y;
}

/// The processor's division is the rule.
void check(const std::vector<float>& x, float divisor) {
    const std::vector<float> y = quotients(x, divisor);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float expected = x[i] / divisor;
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(y[i])) << x[i] << " / " << divisor;
        } else {
            ASSERT_EQ(y[i], expected) << x[i] << " / " << divisor;
            ASSERT_EQ(std::signbit(y[i]), std::signbit(expected)) << x[i] << " / " << divisor;
        }
    }
}

TEST(SharedDivisor, GivesTheQuotientOfAllKindsOfNumbers) {
    using Limits = std::numeric_limits<float>;
    std::vector<float> numbers = {
        0.0f,  1.0f, Limits::max(), Limits::min(), Limits::infinity(), Limits::denorm_min(), Limits::quiet_NaN(),
        3e-39f};
    for (int exponent = -149; exponent <= 127; exponent += 3) numbers.push_back(std::ldexp(1.7f, exponent));
    for (std::size_t i = numbers.size(); i-- > 0;) numbers.push_back(-numbers[i]);
    for (const float divisor : numbers) check(numbers, divisor);
}

/// The dividends, with `divisor` of 24 bits, whose quotient is nearest to the middle between two numbers: where what is lost
/// on the way decides. Solves X 2^k = Y (2 K + 1) + c for X, for small c.
std::vector<float> near_middles(std::uint32_t divisor) {
    std::vector<float> found;
    for (int c = -31; c <= 31; c += 2) {
        for (const int k : {24, 25}) {
            // X 2^(k - 1) = (Y + c) / 2 modulo Y, which is odd: halving goes on modulo Y.
            std::uint64_t x = static_cast<std::uint64_t>(divisor + static_cast<std::uint32_t>(c)) / 2 % divisor;
            for (int i = 1; i < k; ++i) x = (x % 2 == 1 ? x + divisor : x) / 2;
            for (; x < 1u << 24; x += divisor) {
                const bool is_below = x < divisor;
                if (x >= 1u << 23 && is_below == (k == 25)) found.push_back(static_cast<float>(x));
            }
        }
    }
    return found;
}

TEST(SharedDivisor, IsRightNearTheMiddles) {
    std::mt19937 random(7);
    int hard = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::uint32_t divisor = 1u << 23 | random() >> 9 | 1u;
        const std::vector<float> x = near_middles(divisor);
        check(x, static_cast<float>(divisor));
        for (const float each : x)
            hard += each * (1 / static_cast<float>(divisor)) != each / static_cast<float>(divisor);
    }
    EXPECT_GT(hard, 10000) << "a product with the reciprocal is often wrong here";
}

}  // namespace
}  // namespace burn::compiler::shared_divisor_test
