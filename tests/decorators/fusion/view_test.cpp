// Views of values that are not there yet do not cut a kernel in two.
#include "fused.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/slice.h>

namespace burn::fusion::view_test {
namespace {

using ops::Handle;

class FusedViews : public Fused {};

TEST_F(FusedViews, ASumWithoutItsAxisIsDividedByInOneKernel) {
    const auto program = [](const Handle& x) {
        const Handle e = ops::mul(x, x);
        const Handle sums = ops::add_scalar(ops::reshape(ops::sum(e, {1}), {32}), 1);
        return ops::div(e, ops::reshape(sums, {32, 1}));
    };
    const Handle x = engine().upload(whole_numbers({32, 100}));
    const Handle y = program(x);
    EXPECT_EQ(plan(), "rows  [32, 100]: mul sum add_scalar div; 1 in, 1 out\n");
    expect_same(whole_numbers({32, 100}), program);
}

TEST_F(FusedViews, AReshapeWithinAChain) {
    const auto program = [](const Handle& x) {
        const Handle rows = ops::add_scalar(ops::reshape(ops::mul_scalar(x, 2), {32 * 100}), 1);
        return ops::neg(ops::reshape(rows, {16, 2, 100}));
    };
    const Handle y = program(engine().upload(whole_numbers({32, 100})));
    EXPECT_EQ(count(plan(), ""), 1);
    expect_same(whole_numbers({32, 100}), program);
}

TEST_F(FusedViews, AReshapeThatBothSidesOfItNeed) {
    // The second operand has the new shape and cannot be had in the old one, but by reading it so.
    const auto program = [](const Handle& x) {
        const Handle flat = ops::reshape(ops::mul_scalar(x, 2), {3200});
        const Handle other = ops::arange(x.engine(), 0, 3200, 1, DType::F32);
        return ops::add(flat, other);
    };
    expect_same(whole_numbers({32, 100}), program);
}

TEST_F(FusedViews, ARepeatedRowIsNotWrittenOut) {
    const auto program = [](const Handle& x) {
        const Handle mean = ops::expand(ops::mean(x, {1}), {32, 100});
        return ops::sub(x, mean);
    };
    const Handle y = program(engine().upload(whole_numbers({32, 100})));
    EXPECT_EQ(plan(), "rows  [32, 100]: mean sub; 1 in, 1 out\n");
    expect_same(whole_numbers({32, 100}), program);
}

TEST_F(FusedViews, ARepeatedElementIsCountedAsOftenAsItIsThere) {
    expect_same(whole_numbers({32, 1}),
                [](const Handle& x) { return ops::sum(ops::expand(ops::add_scalar(x, 1), {32, 100}), {1}); });
    expect_same(whole_numbers({1, 100}),
                [](const Handle& x) { return ops::sum(ops::expand(ops::add_scalar(x, 1), {32, 100}), {0}); });
}

TEST_F(FusedViews, OneValueUnderTwoShapes) {
    // Each difference of two elements: the operand is a row and a column of the same kernel.
    const auto program = [](const Handle& x) {
        const Handle y = ops::add_scalar(x, 1);
        return ops::sub(ops::reshape(y, {50, 1}), ops::reshape(y, {1, 50}));
    };
    expect_same(whole_numbers({50}), program);
    const Handle y = program(engine().upload(whole_numbers({50})));
    EXPECT_EQ(count(plan(), ""), 2);
}

TEST_F(FusedViews, AViewThatSomebodyHolds) {
    const Handle x = engine().upload(whole_numbers({32, 100}));
    const Handle e = ops::mul(x, x);
    const Handle held = ops::reshape(e, {100, 32});
    const Handle y = ops::add_scalar(held, 1);
    const TensorData squares = values(held), more = values(y), numbers = whole_numbers({32, 100});
    EXPECT_EQ(squares.shape(), (Shape{100, 32}));
    for (std::int64_t i = 0; i < numbers.numel(); ++i) {
        ASSERT_EQ(squares.at(i), numbers.at(i) * numbers.at(i));
        ASSERT_EQ(more.at(i), squares.at(i) + 1);
    }
}

TEST_F(FusedViews, AViewOfWhatOneOperationMakes) {
    expect_same(whole_numbers({40, 30}), [](const Handle& x) {
        const Handle turned = ops::permute(ops::add_scalar(x, 1), {1, 0});  // lies in memory as x does
        const Handle flat = ops::reshape(turned, {1200});
        return ops::mul(flat, ops::reshape(ops::mul_scalar(turned, 2), {1200}));
    });
}

TEST_F(FusedViews, ANumberIsWrittenByWhoeverNeedsIt) {
    const Handle x = engine().upload(whole_numbers({32, 100}));
    const Handle threes = ops::full(engine(), {32, 1}, DType::F32, 3);
    const Handle y = ops::mul(x, threes), z = ops::add(ops::sum(x, {1}), threes);
    EXPECT_EQ(count(plan(), ""), 1);
    EXPECT_EQ(values(z).at(5), values(ops::sum(x, {1})).at(5) + 3);
    EXPECT_EQ(values(y).at(77), 3 * whole_numbers({32, 100}).at(77));
    const auto program = [](const Handle& x) {
        return ops::sum(ops::mul(x, ops::full(x.engine(), x.shape(), DType::F32, 3)), {0});
    };
    const Handle sums = program(x);
    EXPECT_EQ(count(plan(), ""), 1);
    expect_same(whole_numbers({32, 100}), program);
}

TEST_F(FusedViews, AnErrorPassesThroughAView) {
    const Handle x = engine().upload(whole_numbers({32, 100}));
    const Handle outside = engine().upload(TensorData::from({std::int64_t{32}}));
    const Handle broken = ops::select(x, 0, outside);
    const Handle twice = ops::mul_scalar(ops::reshape(broken, {100}), 2);
    const Handle sound = ops::mul_scalar(ops::reshape(ops::add_scalar(x, 1), {3200}), 2);
    EXPECT_THROW(values(twice), IndexError);
    EXPECT_EQ(values(sound).at(7), 2 * (whole_numbers({32, 100}).at(7) + 1));
    EXPECT_NO_THROW(engine().sync()) << "a read has raised it";
}

TEST_F(FusedViews, WhatIsComputedTwiceIsComputedOnce) {
    const auto program = [](const Handle& x) {
        const Handle e = ops::mul(x, x), again = ops::mul(x, x);
        return ops::add(ops::sub(e, ops::sum(e, {1})), ops::sub(again, ops::sum(again, {1})));
    };
    const Handle y = program(engine().upload(whole_numbers({32, 100})));
    EXPECT_EQ(plan(), "rows  [32, 100]: mul sum sub add; 1 in, 1 out\n");
    expect_same(whole_numbers({32, 100}), program);
}

TEST_F(FusedViews, WhatIsComputedTwiceInAProgramThatFails) {
    // The last sum is made apart, for one of its operands failed; what its other operand was computed from is gone by then.
    Handle x = engine().upload(whole_numbers({30, 30}));
    const Handle outside = engine().upload(TensorData::from({std::int64_t{30}}));
    Handle first = ops::neg(x), second = ops::neg(std::move(x));
    const Handle product = ops::matmul(first, first);
    first = Handle();
    const Handle broken = ops::select(product, 0, outside);
    const Handle both = ops::add(ops::reshape(std::move(second), {1, 30, 30}), ops::reshape(broken, {1, 1, 30}));
    EXPECT_THROW(values(both), IndexError);
    const TensorData numbers = whole_numbers({30, 30});
    double expected = 0;
    for (std::int64_t i = 0; i < 30; ++i) expected += numbers.at(i) * numbers.at(i * 30);
    EXPECT_EQ(values(product).at(0), expected);
    EXPECT_NO_THROW(engine().sync()) << "a read has raised it";
}

TEST_F(FusedViews, AnErrorBesideAViewDoesNotReachIt) {
    // The kernel of the sum is run apart, for one of its operands failed: then its view has to be made after all.
    const Handle x = engine().upload(whole_numbers({32, 100}));
    const Handle outside = engine().upload(TensorData::from({std::int64_t{32}}));
    const Handle broken = ops::reshape(ops::select(x, 0, outside), {100});
    const Handle flat = ops::reshape(ops::mul(x, x), {3200});
    const Handle sound = ops::mul(flat, ops::full(engine(), {3200}, DType::F32, 2));
    const Handle both = ops::add(ops::reshape(sound, {32, 100}), ops::reshape(broken, {1, 100}));
    EXPECT_THROW(values(both), IndexError);
    EXPECT_EQ(values(sound).at(7), 2 * whole_numbers({32, 100}).at(7) * whole_numbers({32, 100}).at(7));
    EXPECT_NO_THROW(engine().sync()) << "a read has raised it";
}

TEST_F(FusedViews, AScaleBehindSplitHeadsIsTheEpilogueOfTheirProduct) {
    // As in attention of primitive operations.
    const auto program = [](const Handle& x) {
        const Handle rows = ops::reshape(ops::matmul(x, x), {2, 32, 4, 16});
        const Handle q = ops::mul_scalar(ops::permute(rows, {0, 2, 1, 3}), 0.25);
        return ops::matmul(q, ops::reshape(x, {2, 4, 16, 32}));
    };
    const Handle y = program(engine().upload(whole_numbers({64, 64})));
    const std::string steps = plan();
    EXPECT_EQ(count(steps, "fused matmul + [64, 64]: mul_scalar; 2 in, 1 out"), 1) << steps;
    EXPECT_EQ(count(steps, "run   matmul"), 1) << steps;
    EXPECT_EQ(count(steps, "fused"), 1) << steps;
    expect_same(whole_numbers({64, 64}), program);
}

TEST_F(FusedViews, APermutedOrSlicedValueIsComputedWhereItIsRead) {
    const auto turned = [](const Handle& x) {
        const Handle y = ops::permute(ops::relu(ops::mul_scalar(x, 3)), {1, 0});
        return ops::sub(y, ops::max(y, {1}));
    };
    Handle y = turned(engine().upload(whole_numbers({40, 60})));
    EXPECT_EQ(count(plan(), "rows  [60, 40]: mul_scalar relu max sub; 1 in, 1 out"), 1);
    expect_same(whole_numbers({40, 60}), turned);
    // The numbers of one run are not those of the next.
    const auto part = [](const Handle& x, std::int64_t first, double scale) {
        const Handle y = ops::slice(ops::add_scalar(ops::mul_scalar(x, scale), 1), {{first, first + 20}, {0, 60, 3}});
        return ops::mul(y, y);
    };
    for (const std::int64_t first : {0, 7, 20}) {
        const double scale = static_cast<double>(first + 2);
        expect_same(whole_numbers({40, 60}), [&](const Handle& x) { return part(x, first, scale); });
        y = part(engine().upload(whole_numbers({40, 60})), first, scale);
        EXPECT_EQ(count(plan(), "fused [20, 20]: mul_scalar add_scalar mul; 1 in, 1 out"), 1);
    }
}

}  // namespace
}  // namespace burn::fusion::view_test
