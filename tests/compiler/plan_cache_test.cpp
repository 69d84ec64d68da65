#include "segment_builder.h"

#include <burn/compiler/plan_cache.h>
#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler {
namespace {

/// A chain of `length` operations on `size` elements.
Segment chain(std::int64_t size, int length) {
    SegmentBuilder b;
    ValueId x = b.input({size});
    for (int i = 0; i < length; ++i) x = b.apply(ops::PointwiseOp<ops::OpCode::exp>{}, {x});
    b.hold(x);
    return b.segment();
}

TEST(PlanCache, FindsThePlanOfAStructure) {
    PlanCache cache;
    const auto plan = cache.find(chain(3, 2));
    EXPECT_EQ(cache.find(chain(3, 2)), plan);
    EXPECT_NE(cache.find(chain(4, 2)), plan);
    EXPECT_EQ(cache.counters().hits, 1u);
    EXPECT_EQ(cache.counters().misses, 2u);
    EXPECT_EQ(cache.counters().plans, 2u);
    EXPECT_EQ(cache.counters().operations, 4u);
}

TEST(PlanCache, DropsTheLeastRecentlyUsedOfManyPlans) {
    PlanCache cache;
    const auto first = cache.find(chain(1, 1)), second = cache.find(chain(2, 1));
    for (std::size_t i = 3; i <= PlanCache::kCapacity; ++i) cache.find(chain(static_cast<std::int64_t>(i), 1));
    EXPECT_EQ(cache.find(chain(1, 1)), first);
    cache.find(chain(PlanCache::kCapacity + 1, 1));
    EXPECT_EQ(cache.counters().plans, PlanCache::kCapacity);
    EXPECT_EQ(cache.find(chain(1, 1)), first);
    EXPECT_NE(cache.find(chain(2, 1)), second);
}

TEST(PlanCache, DoesNotGrowWithoutBoundWhereSegmentsAreLong) {
    constexpr int kLength = 200;
    PlanCache cache;
    for (std::size_t i = 1; i <= PlanCache::kMostOperations / kLength + 5; ++i)
        cache.find(chain(static_cast<std::int64_t>(i), kLength));
    EXPECT_EQ(cache.counters().operations, PlanCache::kMostOperations);
    EXPECT_EQ(cache.counters().plans, PlanCache::kMostOperations / kLength);
}

}  // namespace
}  // namespace burn::compiler
