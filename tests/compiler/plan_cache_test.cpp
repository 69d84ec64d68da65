#include "collision.h"
#include "segment_builder.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/compiler/plan_cache.h>
#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

namespace burn::compiler::plan_cache_test {
namespace {

/// A chain of `length` operations on `size` elements.
Segment chain(std::int64_t size, int length) {
    SegmentBuilder b;
    ValueId x = b.input({size});
    for (int i = 0; i < length; ++i) x = b.apply(ops::PointwiseOp<ops::OpCode::exp>{}, {x});
    b.hold(x);
    return b.segment();
}

std::shared_ptr<Plan> find_chain(PlanCache& cache, std::int64_t size, int length) {
    StructureKey key;
    key.append(static_cast<std::uint64_t>(size));
    key.append(static_cast<std::uint64_t>(length));
    return cache.find(key, [&] { return chain(size, length); });
}

TEST(PlanCache, FindsThePlanOfAStructure) {
    PlanCache cache(CpuEager::compiler_device(0));
    const auto plan = find_chain(cache, 3, 2);
    EXPECT_EQ(find_chain(cache, 3, 2), plan);
    EXPECT_NE(find_chain(cache, 4, 2), plan);
    EXPECT_EQ(cache.counters().hits, 1u);
    EXPECT_EQ(cache.counters().misses, 2u);
    EXPECT_EQ(cache.counters().plans, 2u);
    EXPECT_EQ(cache.counters().operations, 4u);
}

TEST(PlanCache, AsksForTheSegmentOnlyWithoutAPlan) {
    PlanCache cache(CpuEager::compiler_device(0));
    StructureKey key;
    key.append(1);
    int asked = 0;
    for (int i = 0; i < 3; ++i) {
        cache.find(key, [&] {
            ++asked;
            return chain(2, 2);
        });
    }
    EXPECT_EQ(asked, 1);
}

TEST(PlanCache, TellsKeysOfOneHashApart) {
    PlanCache cache(CpuEager::compiler_device(0));
    const auto [a, b] = keys_of_one_hash();
    const auto plan_a = cache.find(a, [] { return chain(2, 1); }), plan_b = cache.find(b, [] { return chain(5, 3); });
    EXPECT_EQ(plan_a->segment().ops.size(), 1u);
    EXPECT_EQ(plan_b->segment().ops.size(), 3u);
    const auto none = [] { return Segment(); };
    EXPECT_EQ(cache.find(a, none), plan_a);
    EXPECT_EQ(cache.find(b, none), plan_b);
    EXPECT_EQ(cache.counters().hits, 2u);
}

TEST(PlanCache, DropsTheLeastRecentlyUsedOfManyPlans) {
    PlanCache cache(CpuEager::compiler_device(0));
    const auto first = find_chain(cache, 1, 1), second = find_chain(cache, 2, 1);
    for (std::size_t i = 3; i <= PlanCache::kCapacity; ++i) find_chain(cache, static_cast<std::int64_t>(i), 1);
    EXPECT_EQ(find_chain(cache, 1, 1), first);
    find_chain(cache, PlanCache::kCapacity + 1, 1);
    EXPECT_EQ(cache.counters().plans, PlanCache::kCapacity);
    EXPECT_EQ(find_chain(cache, 1, 1), first);
    EXPECT_NE(find_chain(cache, 2, 1), second);
}

TEST(PlanCache, DoesNotGrowWithoutBoundWhereSegmentsAreLong) {
    constexpr int kLength = 200;
    PlanCache cache(CpuEager::compiler_device(0));
    for (std::size_t i = 1; i <= PlanCache::kMostOperations / kLength + 5; ++i)
        find_chain(cache, static_cast<std::int64_t>(i), kLength);
    EXPECT_EQ(cache.counters().operations, PlanCache::kMostOperations);
    EXPECT_EQ(cache.counters().plans, PlanCache::kMostOperations / kLength);
}

}  // namespace
}  // namespace burn::compiler::plan_cache_test
