#include <burn/base/error.h>
#include <burn/base/function_ref.h>
#include <burn/kernel/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burn::kernel::verify_test {
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

TEST(Verify, LoopsStepForward) {
    for (const std::int64_t step : {0, -1}) {
        Builder k("stands_still");
        const Place y = k.buffer(DType::F32, Access::Write);
        EXPECT_THAT(([&]() -> std::string {
                        try {
                            k.for_loop(0, 4, step, [&](Value i) { y.store(i, 1.0f); });
                            return fault(k.finish());
                        } catch (const Error& error) {
                            return error.what();
                        }
                    }()),
                    testing::HasSubstr("its step is not above 0"))
            << step;
    }
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
    EXPECT_THROW(x.store(0, inside), ArgumentError);
}

TEST(Verify, TheIndexOfALoopIsAValueOfItsBlock) {
    Builder k("index");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    NodeId loop = 0;
    k.for_loop(0, 4, 1, [&](const Value& i) {
        loop = i.id();
        x.store(i, 1);
    });
    const NodeId load = x.load(2).id();
    Kernel kernel = k.finish();
    EXPECT_EQ(fault(kernel), "none");
    kernel.nodes[load].operands[1] = loop;
    EXPECT_THAT(fault(kernel), testing::HasSubstr("not defined before"));
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

TEST(Verify, ImmediatesAreThoseOfTheKind) {
    Builder k("immediates");
    const Place x = k.buffer(DType::I8, Access::ReadWrite);
    k.shared_array(DType::F32, 8);
    const Value sum = reduce_lanes(x.load(0, 4), Reduction::Sum);
    x.store(0, sum + extract(x.load(0, 4), 3) + k.constant(DType::I8, -1));
    const Kernel kernel = k.finish();
    for (std::size_t victim = 0; victim < kernel.nodes.size(); ++victim) {
        Kernel wrong = kernel;
        wrong.nodes[victim].immediate = 1ull << 40;
        if (wrong.nodes[victim].type.dtype == DType::I64 && wrong.nodes[victim].kind == NodeKind::Constant) continue;
        EXPECT_NE(fault(wrong), "none") << info_of(wrong.nodes[victim].kind).text;
    }
    Kernel unsigned_bits = kernel;
    for (Node& node : unsigned_bits.nodes) {
        if (node.kind == NodeKind::Constant && node.type.dtype == DType::I8) node.immediate = 0xff;
    }
    EXPECT_THAT(fault(unsigned_bits), testing::HasSubstr("expected an element's bits"));
}

TEST(Verify, NodesHoldTheBlocksOfTheirKind) {
    Builder k("blocks");
    const Variable left = k.variable({kIndex, 1}, 3);
    k.while_loop([&] { return greater(left, 0); }, [&] { left = left - 1; });
    k.for_loop(0, 4, 1, [](Value) {});
    k.if_then(greater(left, 0), [] {});
    const Kernel kernel = k.finish();
    for (std::size_t victim = 0; victim < kernel.nodes.size(); ++victim) {
        for (const std::size_t which : {0u, 1u}) {
            Kernel wrong = kernel;
            BlockId& block = wrong.nodes[victim].blocks[which];
            if (block == kNoBlock) {
                wrong.blocks.emplace_back();
                block = static_cast<BlockId>(kernel.blocks.size());
                if (wrong.nodes[victim].kind == NodeKind::If) continue;  // it may have two
            } else {
                block = kNoBlock;
            }
            EXPECT_NE(fault(wrong), "none") << info_of(wrong.nodes[victim].kind).text << which;
        }
    }
}

TEST(Verify, ContinueIfEndsTheConditionOfAWhile) {
    const auto with = [](FunctionRef<void(Builder&, Value)> write) {
        Builder k("continue");
        const Variable left = k.variable({kIndex, 1}, 3);
        const Value more = greater(left, 0);
        write(k, more);
        return k.finish();
    };
    EXPECT_THROW(with([](Builder& k, Value more) { k.emit(NodeKind::ContinueIf, {more}); }), ArgumentError);
    EXPECT_THROW(with([](Builder& k, Value more) {
                     k.while_loop([&] { return more; }, [&] { k.emit(NodeKind::ContinueIf, {more}); });
                 }),
                 ArgumentError);
    Kernel kernel = with([](Builder& k, Value more) { k.while_loop([&] { return more; }, [] {}); });
    for (const Node& node : kernel.nodes) {
        if (node.kind == NodeKind::While) kernel.blocks[node.blocks[0]].clear();
    }
    EXPECT_THAT(fault(kernel), testing::HasSubstr("does not end with continue_if"));
}

TEST(Verify, ABoolHasNoBits) {
    Builder k("bool");
    const Place x = k.buffer(DType::Bool, Access::Read);
    EXPECT_THROW((void)bitcast(x.load(0), DType::U8), DTypeError);
    const Place bytes = k.buffer(DType::U8, Access::Read);
    EXPECT_THROW((void)bitcast(bytes.load(0), DType::Bool), DTypeError);
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
}  // namespace burn::kernel::verify_test
