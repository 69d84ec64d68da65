#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::kernel {
namespace {

/// y[i] = x[i] + 1, one element a cube.
Kernel increment() {
    Builder k("increment");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value i = k.cube_index();
    y.store(i, x.load(i) + 1);
    return k.finish();
}

/// The message that verifying `kernel` raises.
std::string fault(const Kernel& kernel) {
    try {
        verify(kernel);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Verify, TakesWhatTheBuilderMade) { EXPECT_EQ(fault(increment()), "none"); }

TEST(Verify, ValuesAreDefinedBeforeTheirUse) {
    Kernel kernel = increment();
    std::swap(kernel.blocks[0][0], kernel.blocks[0].back());
    EXPECT_THAT(fault(kernel), testing::HasSubstr("not defined before"));
}

TEST(Verify, ANodeStandsOnce) {
    Kernel kernel = increment();
    kernel.blocks[0].push_back(kernel.blocks[0][0]);
    EXPECT_THAT(fault(kernel), testing::HasSubstr("stands twice"));
}

TEST(Verify, TypesAreThoseOfTheOperands) {
    Kernel kernel = increment();
    for (Node& node : kernel.nodes) {
        if (node.kind == NodeKind::Add) node.type.lanes = 8;
    }
    EXPECT_NE(fault(kernel), "none");
}

TEST(Verify, ValuesOfABlockStayInside) {
    Builder k("scope");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    Value inside(0);
    k.for_loop(0, 4, 1, [&](Value i) { inside = x.load(i); });
    x.store(0, inside);
    EXPECT_THROW(k.finish(), ArgumentError);
}

TEST(Verify, BarriersStandWhereAllUnitsComeBy) {
    const auto with_barrier = [](bool uniform) {
        Builder k("barrier", 4, 4);
        const Value bound = uniform ? k.cube_index() : k.unit_index();
        k.if_then(greater(bound, 1), [&] { k.barrier(); });
        return k.finish();
    };
    EXPECT_NO_THROW(with_barrier(true));
    EXPECT_THROW(with_barrier(false), ArgumentError);
}

TEST(Verify, UnitsComeInWholePlanes) {
    Kernel kernel = increment();
    kernel.units = 6;
    kernel.plane = 4;
    EXPECT_THAT(fault(kernel), testing::HasSubstr("whole planes"));
}

TEST(Verify, NothingOutOfRangeCrashes) {
    for (std::size_t victim = 0; victim < increment().nodes.size(); ++victim) {
        Kernel kernel = increment();
        kernel.nodes[victim].operands[0] = 1000;
        kernel.nodes[victim].operand_count = 3;
        EXPECT_NE(fault(kernel), "none") << victim;
    }
    Kernel kernel = increment();
    kernel.blocks[0].push_back(1000);
    EXPECT_NE(fault(kernel), "none");
    kernel = increment();
    kernel.parameters.push_back(1000);
    EXPECT_NE(fault(kernel), "none");
}

}  // namespace
}  // namespace burn::kernel
