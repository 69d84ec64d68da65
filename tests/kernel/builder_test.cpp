#include <burn/base/error.h>
#include <burn/base/function_ref.h>
#include <burn/kernel/builder.h>
#include <gtest/gtest.h>

#include <string>

namespace burn::kernel::builder_test {
namespace {

TEST(Builder, ScalesABuffer) {
    Builder k("scale");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value factor = k.scalar(DType::F32), i = k.cube_index() * 8;
    y.store(i, x.load(i, 8) * factor);
    const Kernel kernel = k.finish();
    ASSERT_EQ(kernel.parameters.size(), 3u);
    const Node& store = kernel[kernel.blocks[0].back()];
    EXPECT_EQ(store.kind, NodeKind::Store);
    const Node& product = kernel[store.operands[2]];
    EXPECT_EQ(product.kind, NodeKind::Mul);
    EXPECT_EQ(product.type, (Type{DType::F32, 8}));
    EXPECT_EQ(kernel[product.operands[1]].kind, NodeKind::Splat);
}

TEST(Builder, SharesEqualPureNodesInScopeOnly) {
    Builder k("shared");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    const Value a = x.load(0);
    EXPECT_EQ((a * 2).id(), (a * 2).id());
    EXPECT_NE(x.load(0).id(), x.load(0).id()) << "memory may have changed in between";
    NodeId inside = 0;
    k.if_then(greater(a, 0), [&] { inside = (a + 1).id(); });
    const NodeId outside = (a + 1).id();
    EXPECT_NE(inside, outside) << "a value of the block is not in scope after it";
    k.if_then(greater(a, 0), [&] { EXPECT_EQ((a + 1).id(), outside); });
    x.store(0, a + 1);
    k.finish();
}

/// The message that `mistake` raises, an ArgumentError.
std::string refusal(FunctionRef<void()> mistake) {
    try {
        mistake();
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return "none";
}

TEST(Builder, AValueOfABlockThatHasEndedIsRefusedWhereItIsUsed) {
    Builder k("leaks");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    Value inside(0), last(0);
    k.for_loop(0, 4, 1, [&](const Value& i) {
        last = i;
        inside = x.load(i);
        k.if_then(greater(inside, 0), [&] { x.store(i, inside); });
    });
    EXPECT_EQ(refusal([&] { x.store(0, inside); }),
              "kernel leaks: store uses a value of a block that has ended; expected one that is in scope");
    EXPECT_EQ(refusal([&] { x.load(last); }),
              "kernel leaks: load uses a value of a block that has ended; expected one that is in scope");
    x.store(0, x.load(0));
    k.finish();
}

TEST(Builder, AValueOfAnotherKernelIsRefused) {
    Builder k("one"), other("other");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    const Value theirs = other.scalar(DType::F32);
    EXPECT_EQ(refusal([&] { x.store(0, theirs); }),
              "kernel one: store uses a value of another kernel; expected one that is in scope");
}

TEST(Builder, NothingIsAddedToAFinishedKernel) {
    Builder k("done");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    const Value first = x.load(0);
    x.store(1, first);
    k.finish();
    EXPECT_EQ(refusal([&] { x.store(1, first); }), "kernel done: constant after finish; a builder makes one kernel");
    EXPECT_NE(refusal([&] { k.buffer(DType::F32, Access::Read); }), "none");
    EXPECT_NE(refusal([&] { k.finish(); }), "none");
    EXPECT_NE(refusal([&] { k.for_loop(0, 1, 1, [](const Value&) {}); }), "none");
}

// In the body itself, or after one that threw.
TEST(Builder, AKernelEndsAfterItsBodies) {
    const std::string expected = "kernel early: finish before the body of a loop or a branch has ended";
    Builder inside("early"), thrown("early");
    inside.if_then(equal(inside.index(1), 1), [&] { EXPECT_EQ(refusal([&] { inside.finish(); }), expected); });
    EXPECT_EQ(refusal([&] { inside.finish(); }), "none");
    EXPECT_EQ(
        refusal([&] { thrown.for_loop(0, 4, 1, [](const Value&) { raise(ErrorKind::Argument, Message() << "no"); }); }),
        "no");
    EXPECT_EQ(refusal([&] { thrown.finish(); }), expected);
}

TEST(Builder, NumbersTakeTheTypeTheyMeet) {
    Builder k("numbers");
    const Place x = k.buffer(DType::BF16, Access::Read);
    const Value a = x.load(0, 4) + 1;
    EXPECT_EQ(a.type(), (Type{DType::BF16, 4}));
    const Value mask = greater(a, 0.5);
    EXPECT_EQ(mask.type(), (Type{DType::Bool, 4}));
    EXPECT_EQ(where(mask, a, 0).type(), a.type());
}

TEST(Builder, NothingIsRoundedTwice) {
    Builder k("casts");
    const Place wide = k.buffer(DType::F32, Access::Read), half = k.buffer(DType::BF16, Access::Read);
    const Value rounded = cast(wide.load(0, 4), DType::BF16), loaded = half.load(0, 4);
    EXPECT_EQ(cast(cast(rounded, DType::F32), DType::BF16).id(), rounded.id());
    EXPECT_EQ(cast(cast(loaded, DType::F32), DType::BF16).id(), loaded.id());
    EXPECT_NE(cast(cast(rounded, DType::F32), DType::F16).id(), rounded.id()) << "another type is another number";
    EXPECT_NE(cast(cast(rounded, DType::F16), DType::BF16).id(), rounded.id()) << "f16 does not hold every bf16";
    const Value whole = cast(wide.load(4), DType::I32);
    EXPECT_NE(cast(cast(whole, DType::F32), DType::I32).id(), whole.id()) << "f32 does not hold every i32";
}

TEST(Builder, VectorsOfTooManyLanesAreRefused) {
    Builder k("wide");
    const Value a = k.constant(DType::U8, 1, 32), b = interleave(a, a);
    EXPECT_EQ(b.lanes(), 64);
    try {
        (void)interleave(b, b);
        FAIL();
    } catch (const ArgumentError& error) {
        EXPECT_STREQ(error.what(), "kernel wide: interleave: 128 lanes; at most 64");
    }
}

TEST(Builder, MixedTypesAreRefusedWhereTheyMeet) {
    Builder k("mixed");
    const Value a = k.constant(DType::F32, 1.0), b = k.constant(DType::I32, 1);
    try {
        (void)(a + b);
        FAIL();
    } catch (const DTypeError& error) {
        EXPECT_STREQ(error.what(), "kernel mixed: add: types differ: f32 and i32; cast or splat one of them");
    }
    EXPECT_THROW((void)interleave(a, b), DTypeError);
    EXPECT_THROW((void)exp(b), DTypeError);
    EXPECT_THROW((void)(k.constant(DType::F32, 1.0, 4) + k.constant(DType::F32, 1.0, 8)), DTypeError);
    EXPECT_THROW((void)Value(1).type(), ArgumentError);
}

TEST(Builder, AccessOfABufferIsKept) {
    Builder k("access");
    const Place in = k.buffer(DType::F32, Access::Read), out = k.buffer(DType::F32, Access::Write);
    EXPECT_THROW(in.store(0, 1), ArgumentError);
    EXPECT_THROW((void)out.load(0), ArgumentError);
    EXPECT_THROW(in.prefetch(0, Access::Write), ArgumentError);
    EXPECT_THROW(out.prefetch(0, Access::Read), ArgumentError);
    EXPECT_THROW(in.prefetch(k.iota(kIndex, 4), Access::Read), DTypeError) << "one line at a time";
    EXPECT_THROW((void)out.atomic(Reduction::Sum, 0, 1), ArgumentError);
}

TEST(Builder, ElementBitsKeepEveryType) {
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        EXPECT_EQ(element_value(dtype, element_bits(dtype, 1.0)), 1.0) << name_of(dtype);
        EXPECT_EQ(element_value(dtype, element_bits(dtype, std::int64_t{0})), 0.0) << name_of(dtype);
    }
    EXPECT_EQ(element_bits(DType::I64, std::int64_t{-1}), ~0ull);
    EXPECT_EQ(element_bits(DType::U64, UINT64_MAX), ~0ull);
    EXPECT_EQ(element_value(DType::F64, element_bits(DType::F64, UINT64_MAX)), 0x1p64);
    EXPECT_EQ(element_value(DType::I8, element_bits(DType::I8, std::int64_t{-5})), -5.0);
    EXPECT_EQ(element_value(DType::F16, element_bits(DType::F16, 0.5)), 0.5);
}

}  // namespace
}  // namespace burn::kernel::builder_test
