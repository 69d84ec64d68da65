// Random numbers drawn inside kernels: those of every other backend, bit for bit.
#include "fused.h"

#include <burn/ops/cast.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/random.h>
#include <burn/ops/reduce.h>
#include <burn/ops/softmax.h>

namespace burn::fusion::random_test {
namespace {

using ops::Handle;

class FusedRandom : public Fused {
protected:
    /// Both engines draw the same numbers.
    static void expect_same_draws(const TensorData& x, const std::function<Handle(Handle)>& program,
                                  double tolerance = 0) {
        const ops::RandomState state{.key = 0x9abcdef012345678u, .counter = (std::uint64_t{1} << 32) - 7};
        expect_near(
            x,
            [&](Handle input) {
                input.engine().set_random_state(state);
                return program(std::move(input));
            },
            tolerance);
    }
};

TEST_F(FusedRandom, DropoutIsOneKernel) {
    const Handle x = engine().upload(whole_numbers({300, 77}));
    const Handle mask = ops::mul_scalar(ops::random_like(x, Distribution::bernoulli(0.75)), 4);
    const Handle y = ops::mul(x, mask);
    EXPECT_EQ(plan(), "fused [300, 77]: random mul_scalar mul; 1 in, 2 out\n");
    const TensorData data = values(y), numbers = whole_numbers({300, 77});
    int kept = 0;
    for (std::int64_t i = 0; i < data.numel(); ++i) {
        if (numbers.at(i) == 0) continue;
        EXPECT_TRUE(data.at(i) == 0 || data.at(i) == 4 * numbers.at(i));
        kept += data.at(i) != 0 ? 1 : 0;
    }
    EXPECT_NEAR(kept, 0.75 * 10 / 11 * 300 * 77, 300);
}

TEST_F(FusedRandom, NumbersOfTwoWordsAreDrawnInTheKernel) {
    const Handle x = engine().upload(whole_numbers({40, 30}, DType::F64));
    const Handle y = ops::add(x, ops::random_like(x, Distribution::uniform(0, 1)));
    EXPECT_EQ(plan(), "fused [40, 30]: random add; 1 in, 1 out\n");
    // Rows of odd lengths begin inside a block of the stream, as do the cubes of a long one; views turn the order round.
    const auto noisy = [](const Handle& x) { return ops::mul(x, ops::random_like(x, Distribution::uniform(-1, 1))); };
    const auto rows = [&](const Handle& x) {
        const Handle y = noisy(x);
        return ops::sub(y, ops::max(y, {1}));
    };
    for (const Shape& shape : {Shape{30, 41}, Shape{5, 8193}, Shape{1, 1}, Shape{300, 77}, Shape{40, 1001}}) {
        const TensorData numbers = whole_numbers(shape, DType::F64);
        expect_same_draws(numbers, noisy);
        expect_same_draws(numbers, rows);
        expect_same_draws(numbers, [&](const Handle& x) { return noisy(ops::permute(x, {1, 0})); });
    }
}

TEST_F(FusedRandom, NormalNumbersAreTheBackends) {
    const Handle x = engine().upload(whole_numbers({30, 41}));
    const Handle y = ops::add(x, ops::random_like(x, Distribution::normal(0, 1)));
    EXPECT_EQ(count(plan(), "run   random"), 1);
    expect_same_draws(whole_numbers({30, 41}),
                      [](const Handle& x) { return ops::add(x, ops::random_like(x, Distribution::normal(0.5, 3))); });
}

TEST_F(FusedRandom, NumbersThatNothingIsDoneWithAreTheBackends) {
    const Handle x = ops::random(engine(), {300, 77}, DType::F32, Distribution::uniform(0, 1));
    EXPECT_EQ(count(plan(), "run   random"), 1);
    EXPECT_EQ(values(x).shape(), (Shape{300, 77}));
}

TEST_F(FusedRandom, EveryLawAndType) {
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16, DType::F64, DType::I32, DType::U8, DType::I64}) {
        SCOPED_TRACE(name_of(dtype));
        for (const Shape& shape : {Shape{30, 41}, Shape{20011}, Shape{3}, Shape{4, 4}}) {
            const TensorData x = whole_numbers(shape, dtype);
            for (const double p : {0.0, 0.3, 1.0}) {
                expect_same_draws(
                    x, [=](const Handle& x) { return ops::add(x, ops::random_like(x, Distribution::bernoulli(p))); });
            }
            const auto plus = [&](double low, double high) {
                expect_same_draws(x, [=](const Handle& x) {
                    return ops::add(x, ops::random_like(x, Distribution::uniform(low, high)));
                });
            };
            plus(0, 1);
            plus(3, 90);
            if (is_float(dtype)) plus(-1e-3, 2.5);
            if (is_float(dtype)) plus(1.5, 1.5);
            if (is_float(dtype)) plus(1, 1.0078125);  // few numbers of a half type, the last of them below the bound
            if (HasFatalFailure()) return;
        }
    }
}

TEST_F(FusedRandom, BoolsAndSeveralDraws) {
    expect_same_draws(whole_numbers({123, 45}), [](const Handle& x) {
        ops::Engine& engine = x.engine();
        const Handle flags = ops::random(engine, {123, 45}, DType::Bool, Distribution::bernoulli(0.5));
        const Handle noise = ops::random(engine, {123, 45}, DType::F32, Distribution::uniform(0, 1));
        const Handle other = ops::random(engine, {123, 45}, DType::F32, Distribution::uniform(0, 1));
        return ops::where(flags, ops::add(x, noise), ops::sub(x, other));
    });
}

TEST_F(FusedRandom, InsideRowsAndBesideReductions) {
    const auto program = [](const Handle& x) {
        const Handle noise = ops::random_like(x, Distribution::uniform(0, 1));
        const Handle shifted = ops::add(x, noise);
        const Handle highest = ops::sub(shifted, ops::max(shifted, {1}));
        const Handle mask = ops::random_like(x, Distribution::bernoulli(0.5));
        return ops::mul(highest, mask);
    };
    const Handle y = program(engine().upload(whole_numbers({300, 77})));
    EXPECT_EQ(count(plan(), ""), 1);
    for (const Shape& shape : {Shape{300, 77}, Shape{40, 1001}, Shape{3, 5}})
        expect_same_draws(whole_numbers(shape), program);
    // Halves of a sum of columns, and of everything.
    for (const Dims& axes : {Dims{0}, Dims{0, 1}}) {
        expect_same_draws(whole_numbers({3000, 77}), [&](const Handle& x) {
            return ops::sum(ops::mul(x, ops::random_like(x, Distribution::bernoulli(0.5))), axes);
        });
    }
}

TEST_F(FusedRandom, WhereTheSpaceIsNotOneRun) {
    expect_same_draws(whole_numbers({37, 61}), [](const Handle& x) {
        const Handle turned = ops::permute(x, {1, 0});
        return ops::mul(turned, ops::random_like(turned, Distribution::bernoulli(0.5)));
    });
    expect_same_draws(whole_numbers({1, 20000}), [](const Handle& x) {
        const Handle rows = ops::expand(x, {3, 20000});
        return ops::mul(rows, ops::random_like(rows, Distribution::bernoulli(0.5)));
    });
    expect_same_draws(whole_numbers({6, 1, 7, 11}), [](const Handle& x) {
        const Handle y = ops::expand(x, {6, 5, 7, 11});
        const Handle noise = ops::random_like(y, Distribution::bernoulli(0.5));
        return ops::add(ops::mul(y, noise), ops::sum(ops::mul(ops::max(x, {2}), noise), {2, 3}));
    });
}

TEST_F(FusedRandom, ANumberForEachRow) {
    expect_same_draws(whole_numbers({40, 100}), [](const Handle& x) {
        const Handle noise = ops::random(x.engine(), {40, 1}, DType::F32, Distribution::bernoulli(0.5));
        return ops::mul(ops::sub(x, ops::max(x, {1})), ops::add_scalar(noise, 1));
    });
}

TEST_F(FusedRandom, AReshapeOfTheNumbers) {
    expect_same_draws(whole_numbers({40, 100}), [](const Handle& x) {
        const Handle noise = ops::random(x.engine(), {4000}, DType::F32, Distribution::bernoulli(0.5));
        return ops::mul(ops::add_scalar(x, 1), ops::reshape(noise, {40, 100}));
    });
}

TEST_F(FusedRandom, TheCounterIsNoPartOfThePlan) {
    const auto program = [&] {
        const Handle x = engine().upload(whole_numbers({30, 41}));
        return values(ops::mul(x, ops::random_like(x, Distribution::bernoulli(0.5))));
    };
    const TensorData first = program();
    const Report before = report(engine());
    EXPECT_FALSE(program() == first) << "the stream moves on";
    EXPECT_EQ(report(engine()).plan_misses, before.plan_misses);
}

}  // namespace
}  // namespace burn::fusion::random_test
