#include <burn/compiler/precedence.h>
#include <gtest/gtest.h>

namespace burn::compiler::precedence_test {
namespace {

TEST(Precedence, SeesAThirdStepBetweenTwo) {
    Precedence order(4);
    order.require(1, 0);
    order.require(2, 1);
    order.require(2, 0);
    EXPECT_TRUE(order.between(0, 2)) << "1";
    EXPECT_TRUE(order.between(2, 0)) << "in either order";
    EXPECT_FALSE(order.between(0, 1));
    EXPECT_FALSE(order.between(0, 3)) << "they have nothing to do with each other";
    EXPECT_EQ(order.count_before(2), 2u);
}

TEST(Precedence, AMergedStepWaitsForWhatBothWaitedFor) {
    // 0 -> 2, 1 -> 3, then 2 and 3 are one: what comes after either waits for 0 and 1.
    Precedence order(6);
    order.require(2, 0);
    order.require(3, 1);
    order.require(4, 2);
    order.merge(2, 3);
    EXPECT_EQ(order.count_before(2), 2u);
    EXPECT_EQ(order.count_before(4), 3u);
    EXPECT_TRUE(order.between(1, 4)) << "through what was 3";
    order.require(5, 2);
    EXPECT_EQ(order.count_before(5), 3u);
    EXPECT_FALSE(order.between(4, 5));
}

TEST(Precedence, ManySteps) {
    constexpr std::uint32_t kSteps = 200;  // several words of bits
    Precedence order(kSteps);
    for (std::uint32_t step = 1; step < kSteps; ++step) order.require(step, step - 1);
    EXPECT_EQ(order.count_before(kSteps - 1), kSteps - 1);
    EXPECT_TRUE(order.between(3, 130));
    for (std::uint32_t step = 1; step < kSteps; ++step) order.merge(0, step);
    EXPECT_EQ(order.count_before(0), 0u);
}

}  // namespace
}  // namespace burn::compiler::precedence_test
