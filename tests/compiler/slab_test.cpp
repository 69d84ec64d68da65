#include <burn/compiler/slab.h>

#include <burn/base/memory.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace burn::compiler::slab_test {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t kOutside = Slab::kOutside;

/// At a step of its own so much is needed that the others may share a slab as they like.
Tenant much_at(std::size_t step) { return {10000, step, step, false}; }

TEST(Slab, WhatIsNotNeededAtTheSameTimeSharesAPlace) {
    // Steps      0    1    2    3
    // a (256)    [---------]
    // b (128)         [---------]
    // c (256)                   [
    // d (64)                    [     above b
    const Tenant tenants[] = {{256, 0, 2}, {128, 1, 3}, {256, 3, 3}, {64, 3, 3}, much_at(4)};
    const Slab slab = make_slab(tenants, 5);
    EXPECT_THAT(slab.places, ElementsAre(0, 256, 0, 384, kOutside));
    EXPECT_EQ(slab.bytes, 448u);
    EXPECT_EQ(slab.first, 0u);
    EXPECT_EQ(slab.last, 3u);
}

TEST(Slab, AGapThatIsLargeEnoughIsTaken) {
    // When 320 bytes of step 0 are over, 256 and 64 come there.
    const Tenant tenants[] = {{320, 0, 0}, {192, 0, 1}, {64, 1, 1}, {256, 1, 1}, much_at(2)};
    const Slab slab = make_slab(tenants, 3);
    EXPECT_THAT(slab.places, ElementsAre(0, 320, 256, 0, kOutside));
    EXPECT_EQ(slab.bytes, 512u);
}

TEST(Slab, WhatIsNeededAtThePeakComesFirst) {
    // The 512 bytes of step 0 would leave no room for those of step 1, which fill the slab.
    const Tenant tenants[] = {{512, 0, 0}, {320, 1, 1}, {384, 1, 1}, {128, 0, 0, false}};
    const Slab slab = make_slab(tenants, 2);
    EXPECT_THAT(slab.places, ElementsAre(kOutside, 384, 0, kOutside));
    EXPECT_EQ(slab.bytes, 704u);
}

TEST(Slab, PlacesBeginAtVectors) {
    const Tenant tenants[] = {{10, 0, 1}, {1, 0, 1}, {0, 0, 1}};
    const Slab slab = make_slab(tenants, 2);
    EXPECT_THAT(slab.places, ElementsAre(0, 64, kOutside));
    EXPECT_EQ(slab.bytes, 128u);
}

TEST(Slab, IsNoneForOne) {
    const Tenant tenants[] = {{1000, 0, 1}, {1000, 0, 1, false}};
    const Slab slab = make_slab(tenants, 2);
    EXPECT_THAT(slab.places, ElementsAre(kOutside, kOutside));
    EXPECT_EQ(slab.bytes, 0u);
}

TEST(Slab, WhatWouldKeepItWhileAllMemoryIsNeededStaysOutside) {
    // Step 1 needs the most: 1,088 bytes outside and the last tenant. A slab with the 1,024 bytes of step 0 must be gone by then.
    const Tenant tenants[] = {{1024, 0, 0}, {1088, 1, 1, false}, {64, 0, 0}, {64, 0, 1}};
    const Slab slab = make_slab(tenants, 2);
    EXPECT_THAT(slab.places, ElementsAre(0, kOutside, 1024, kOutside));
    EXPECT_EQ(slab.bytes, 1088u);
    EXPECT_EQ(slab.last, 0u);
}

TEST(Slab, NobodyLiesWhereAnotherIsNeeded) {
    std::mt19937 random(7);
    const auto draw = [&](std::uint64_t most) { return random() % (most + 1); };
    for (int round = 0; round < 300; ++round) {
        const std::size_t steps = 1 + draw(20);
        std::vector<Tenant> tenants(draw(30));
        for (Tenant& each : tenants) {
            const std::size_t a = draw(steps - 1), b = draw(steps - 1);
            each = {draw(5000), std::min(a, b), std::max(a, b), draw(3) > 0};
        }
        const Slab slab = make_slab(tenants, steps);
        ASSERT_EQ(slab.places.size(), tenants.size());
        std::vector<std::uint64_t> apart(steps), together(steps);
        const auto block = [](std::uint64_t bytes) { return (bytes + kBlockAlignment - 1) & ~(kBlockAlignment - 1); };
        for (std::size_t i = 0; i < tenants.size(); ++i) {
            const bool inside = slab.places[i] != kOutside;
            for (std::size_t step = tenants[i].first; step <= tenants[i].last; ++step) {
                apart[step] += block(tenants[i].bytes);
                if (!inside) together[step] += block(tenants[i].bytes);
            }
            if (!inside) continue;
            EXPECT_TRUE(tenants[i].movable);
            EXPECT_EQ(slab.places[i] % kBlockAlignment, 0u);
            EXPECT_LE(slab.places[i] + tenants[i].bytes, slab.bytes);
            EXPECT_LE(slab.first, tenants[i].first);
            EXPECT_GE(slab.last, tenants[i].last);
            for (std::size_t j = 0; j < i; ++j) {
                if (slab.places[j] == kOutside) continue;
                const bool at_once = tenants[i].first <= tenants[j].last && tenants[j].first <= tenants[i].last;
                const bool apart_in_memory = slab.places[i] + tenants[i].bytes <= slab.places[j] ||
                                             slab.places[j] + tenants[j].bytes <= slab.places[i];
                EXPECT_TRUE(!at_once || apart_in_memory) << i << " and " << j;
            }
        }
        for (std::size_t step = slab.first; slab.bytes > 0 && step <= slab.last; ++step) together[step] += slab.bytes;
        EXPECT_LE(*std::max_element(together.begin(), together.end()), *std::max_element(apart.begin(), apart.end()));
    }
}

}  // namespace
}  // namespace burn::compiler::slab_test
