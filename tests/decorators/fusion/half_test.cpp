// Values of half types inside kernels: what can be seen of one is what its type holds.
#include "fused.h"

#include <burn/ops/cast.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/ops/norm.h>
#include <burn/ops/reduce.h>

#include <limits>

namespace burn::fusion::half_test {
namespace {

using ops::Handle;

/// From `big` on a half type holds even numbers only: big + 1 is as near to big as to big + 2, and becomes big.
struct HalfType {
    DType dtype;
    float big;
};
constexpr HalfType kHalfTypes[] = {{DType::F16, 2048}, {DType::BF16, 256}};

class FusedHalf : public Fused {
protected:
    static TensorData same(const Shape& shape, float number) {
        const std::vector<float> numbers(static_cast<std::size_t>(shape.numel()), number);
        return TensorData::from(std::span<const float>(numbers), shape);
    }
    static Handle full(const HalfType& half, const Shape& shape = {40}) {
        return engine().upload(same(shape, half.big).convert(half.dtype));
    }
    /// big + 1, where nobody holds it.
    static Handle next(const HalfType& half) { return ops::add_scalar(full(half), 1); }

    /// The result of one kernel is this number everywhere.
    static void expect_all(const Handle& tensor, double number) {
        const std::string steps = plan();
        EXPECT_EQ(count(steps, ""), 1) << steps;
        const TensorData data = values(tensor);
        for (std::int64_t i = 0; i < data.numel(); ++i) ASSERT_EQ(data.at(i), number) << "element " << i;
    }
};

TEST_F(FusedHalf, AnOverflowIsSeen) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Handle x = engine().upload(same({40}, 60000).convert(DType::F16));
    const auto doubled = [&] { return ops::mul_scalar(x, 2); };
    expect_all(ops::is_inf(doubled()), 1);
    expect_all(ops::is_finite(doubled()), 0);
    expect_all(ops::cast(doubled(), DType::F32), kInfinity);
    expect_all(ops::equal_scalar(doubled(), 120000), 0);
    const Handle live = doubled();
    expect_all(ops::mul_scalar(live, 0.25), kInfinity);
}

TEST_F(FusedHalf, AnotherTypeIsGivenTheRoundedNumber) {
    for (const HalfType& half : kHalfTypes) {
        expect_all(ops::cast(next(half), DType::F32), half.big);
        expect_all(ops::cast(next(half), DType::I32), half.big);
        // Twice rounded: 257 is an f16, but no bf16.
        const DType other = half.dtype == DType::F16 ? DType::BF16 : DType::F16;
        expect_all(ops::cast(ops::cast(next(half), other), DType::F64), half.big);
    }
}

TEST_F(FusedHalf, ComparisonsAndStepsTakeTheRoundedNumber) {
    for (const HalfType& half : kHalfTypes) {
        expect_all(ops::equal(next(half), full(half)), 1);
        expect_all(ops::greater(next(half), full(half)), 0);
        expect_all(ops::greater_scalar(next(half), half.big), 0);
        // 0.5 + 0.4999 becomes 1 in both types.
        const Handle start = ops::mul_scalar(full(half), 0.5 / half.big);
        expect_all(ops::floor(ops::add_scalar(start, 0.4999)), 1);
        expect_all(ops::sign(ops::mul_scalar(full(half), -1e-12)), half.dtype == DType::F16 ? 0 : -1);
    }
}

TEST_F(FusedHalf, TheFirstOfEqualElementsIsTheExtremum) {
    for (const HalfType& half : kHalfTypes) {
        std::vector<float> steps(40 * 20);
        for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = i % 20 == 7 ? 1 : 0;
        const TensorData data = TensorData::from(std::span<const float>(steps), {40, 20}).convert(half.dtype);
        const Handle step = engine().upload(data);
        expect_all(ops::argmax(ops::add(full(half, {40, 20}), step), 1), 0);
    }
}

TEST_F(FusedHalf, AConstantIsRounded) {
    // 0.1 is nearest to 1638 / 2^14 in f16 and to 205 / 2^11 in bf16.
    const auto seen = [](DType dtype) { return ops::cast(ops::full(engine(), {40}, dtype, 0.1), DType::F32); };
    expect_all(seen(DType::F16), 1638.0 / 16384);
    expect_all(seen(DType::BF16), 205.0 / 2048);
    expect_all(ops::sub_scalar(ops::full(engine(), {40}, DType::F16, 2049), 2048), 0);
}

TEST_F(FusedHalf, AResultThatIsReadAgainIsWhatIsStored) {
    for (const HalfType& half : kHalfTypes) {
        const Handle live = next(half);
        expect_all(ops::sub_scalar(live, half.big), 0);
        EXPECT_EQ(values(live).at(7), half.big);
    }
}

TEST_F(FusedHalf, AResultOfEachRowThatIsReadAgain) {
    for (const HalfType& half : kHalfTypes) {
        std::vector<float> numbers(40 * 20);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = half.big + (i % 2 == 0 ? 0.0f : 2.0f);
        const TensorData data = TensorData::from(std::span<const float>(numbers), {40, 20}).convert(half.dtype);
        const Handle x = engine().upload(data);
        const Handle mean = ops::mean(x, {1});  // big + 1
        const Handle centred = ops::sub(x, mean);
        EXPECT_EQ(count(plan(), ""), 1);
        const TensorData result = values(centred);
        for (std::int64_t i = 0; i < result.numel(); ++i)
            ASSERT_EQ(result.at(i), i % 2 == 0 ? 0 : 2) << "element " << i;
        EXPECT_EQ(values(mean).at(7), half.big);
    }
}

TEST_F(FusedHalf, ASumOfAResultIsThatOfWhatIsStored) {
    const HalfType& half = kHalfTypes[1];
    const Handle live = ops::add_scalar(full(half, {40, 20}), 1);
    // 40 * 256; the sum of 257 would be 10304.
    const Handle total = ops::sum(live, {0});
    EXPECT_EQ(values(total).at(3), 10240);
}

TEST_F(FusedHalf, AChainThatNobodySeesKeepsItsDigits) {
    for (const HalfType& half : kHalfTypes) expect_all(ops::sub_scalar(next(half), half.big), 1);
}

/// x = big + 1 is not held, but a part of it is: it is rounded for everybody.
TEST_F(FusedHalf, WhatIsHeldAsAPartOfAnotherValueIsRoundedThereToo) {
    for (const HalfType& half : kHalfTypes) {
        Handle held;
        const auto less = [&](auto part) {
            const Handle x = next(half);
            held = part(x);
            return ops::cast(ops::mul_scalar(ops::sub(x, held), 0.5), DType::F32);
        };
        expect_all(less([](const Handle& x) { return ops::abs(x); }), 0);
        expect_all(less([](const Handle& x) { return ops::abs(ops::neg(x)); }), 0);
        expect_all(less([](const Handle& x) { return ops::relu(x); }), 0);
        expect_all(less([](const Handle& x) { return ops::leaky_relu(x, 0.1); }), 0);
        expect_all(less([](const Handle& x) { return ops::elu(x, 1); }), 0);
        expect_all(less([](const Handle& x) { return ops::clamp_min(x, 1); }), 0);
        expect_all(less([](const Handle& x) { return ops::max(x, {0}); }), 0);
        expect_all(less([&](const Handle& x) { return ops::min_pair(x, full(half)); }), 0);
    }
}

TEST_F(FusedHalf, ALayerNormReadsItsParametersAsTheyAre) {
    for (const HalfType& half : kHalfTypes) {
        const Handle x = engine().upload(same({6, 40}, 3).convert(half.dtype));
        const Handle scale = engine().upload(same({40}, 5).convert(half.dtype));
        const Handle shift = engine().upload(same({40}, half.big).convert(half.dtype));
        expect_all(ops::layer_norm(x, scale, shift, 1e-5), half.big);
    }
}

}  // namespace
}  // namespace burn::fusion::half_test
