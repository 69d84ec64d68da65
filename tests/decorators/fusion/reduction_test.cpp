// Reductions of columns, of several axes and of everything, with the pointwise work that feeds them.
#include "fused.h"

#include <burn/base/parallel.h>
#include <burn/ops/cast.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace burn::fusion::reduction_test {
namespace {

using ops::Handle;

class FusedReduction : public Fused {};

TEST_F(FusedReduction, ColumnsAreSummedWithWhatFeedsThem) {
    const Handle x = engine().upload(whole_numbers({37, 53}));
    const Handle sums = ops::sum(ops::mul_scalar(ops::add_scalar(x, 1), 2), {0});
    EXPECT_EQ(plan(), "sums  [37, 53]: add_scalar mul_scalar sum; 1 in, 1 out\n");
    const TensorData data = values(sums), numbers = whole_numbers({37, 53});
    for (std::int64_t column = 0; column < 53; ++column) {
        double expected = 0;
        for (std::int64_t row = 0; row < 37; ++row) expected += 2 * (numbers.at(row * 53 + column) + 1);
        EXPECT_EQ(data.at(column), expected) << column;
    }
}

TEST_F(FusedReduction, ALossIsOneKernel) {
    const Handle x = engine().upload(whole_numbers({400, 100})), y = engine().upload(whole_numbers({400, 100}));
    const Handle difference = ops::sub(x, ops::mul_scalar(y, 3));
    const Handle loss = ops::over_all(ops::mean, ops::mul(difference, difference));
    EXPECT_EQ(count(plan(), "sums"), 1);
    double expected = 0;
    const TensorData numbers = whole_numbers({400, 100});
    for (std::int64_t i = 0; i < numbers.numel(); ++i) expected += 4 * numbers.at(i) * numbers.at(i) / 40000;
    EXPECT_NEAR(values(loss).at(0), expected, 1e-5 * expected);
}

TEST_F(FusedReduction, TwoSumsOfOneOperandShareItsKernel) {
    const Handle x = engine().upload(whole_numbers({64, 48}));
    const Handle square = ops::mul(x, x);
    const Handle columns = ops::sum(square, {0}), all = ops::over_all(ops::sum, square);
    const Handle others = ops::max(x, {0});
    const std::string steps = plan();
    EXPECT_EQ(count(steps, "sums  [64, 48]: mul sum sum max"), 1) << steps;
    const TensorData c = values(columns), m = values(others), numbers = whole_numbers({64, 48});
    double total = 0;
    for (std::int64_t column = 0; column < 48; ++column) {
        double sum = 0, highest = -6;
        for (std::int64_t row = 0; row < 64; ++row) {
            const double number = numbers.at(row * 48 + column);
            sum += number * number;
            highest = std::max(highest, number);
        }
        EXPECT_EQ(c.at(column), sum);
        EXPECT_EQ(m.at(column), highest);
        total += sum;
    }
    EXPECT_EQ(values(all).at(0), total);
}

TEST_F(FusedReduction, AMiddleAxisIsSummedWithWhatFeedsIt) {
    const Handle x = engine().upload(whole_numbers({20, 37, 53}));
    const Handle square = ops::mul(x, x), sums = ops::sum(square, {1}), highest = ops::max(square, {1});
    const Handle means = ops::mean(ops::add_scalar(x, 6), {1});
    EXPECT_EQ(plan(), "sums  [20, 37, 53]: mul sum max add_scalar mean; 1 in, 4 out\n");
    const TensorData s = values(sums), h = values(highest), m = values(means), numbers = whole_numbers({20, 37, 53});
    ASSERT_EQ(s.shape(), (Shape{20, 1, 53}));
    for (std::int64_t batch = 0; batch < 20; ++batch) {
        for (std::int64_t column = 0; column < 53; ++column) {
            double sum = 0, most = 0, plain = 0;
            for (std::int64_t row = 0; row < 37; ++row) {
                const double number = numbers.at((batch * 37 + row) * 53 + column);
                sum += number * number;
                most = std::max(most, number * number);
                plain += number + 6;
            }
            EXPECT_EQ(s.at(batch * 53 + column), sum);
            EXPECT_EQ(h.at(batch * 53 + column), most);
            EXPECT_NEAR(m.at(batch * 53 + column), plain / 37, 1e-6 * plain);
        }
    }
}

TEST_F(FusedReduction, AMiddleAxisOfRowsThatAreReducedToo) {
    // As attention's weights summed over the queries: softmax of the rows, then the sums of these.
    const auto program = [](Handle x) {
        const Handle e = ops::exp(ops::sub(x, ops::max(x, {2})));
        return ops::sum(ops::div(e, ops::sum(e, {2})), {1});
    };
    const Handle sums = program(engine().upload(whole_numbers({20, 37, 53})));
    EXPECT_EQ(plan(), "rows  [20, 37, 53]: max sub exp sum div sum; 1 in, 1 out\n");
    expect_near(whole_numbers({20, 37, 53}), program, 1e-5);
    expect_near(whole_numbers({16, 3, 200}), program, 1e-5);
}

TEST_F(FusedReduction, SumsThatKeepOtherAxesAreAnotherKernel) {
    const auto program = [](Handle x) {
        const Handle e = ops::mul(x, x), middle = ops::sum(e, {1}), first = ops::sum(e, {0}),
                     all = ops::over_all(ops::sum, e);
        return ops::add(ops::add(ops::sum(middle, {0}), ops::sum(first, {1})), ops::reshape(all, {1, 1, 1}));
    };
    expect_same(whole_numbers({20, 37, 53}), program);
    const Handle x = engine().upload(whole_numbers({20, 37, 53})), e = ops::mul(x, x);
    const Handle middle = ops::sum(e, {1}), first = ops::sum(e, {0});
    const std::string steps = plan();
    EXPECT_EQ(count(steps, "sums  [20, 37, 53]"), 2) << steps;
}

TEST_F(FusedReduction, WhatLeavesIsNotUsedInItsOwnKernel) {
    const Handle x = engine().upload(whole_numbers({64, 48}));
    const Handle square = ops::mul(x, x);
    const Handle centred = ops::sub(square, ops::mean(square, {0}));
    expect_same(whole_numbers({64, 48}), [](Handle x) {
        const Handle square = ops::mul(x, x);
        return ops::sub(square, ops::mean(square, {0}));
    });
    const std::string steps = plan();
    EXPECT_EQ(values(ops::sum(centred, {0})).at(7), 0) << steps;
}

/// Reductions of some axes of a shape, long enough that several cubes make parts and blocks of it.
struct Sample {
    Shape shape;
    Dims axes;
};
const Sample kSamples[] = {
    {{1000, 3}, {0}},          {{5000, 17}, {0}},
    {{4096, 1030}, {0}},       {{33, 5000}, {0}},
    {{2, 70000}, {0}},         {{70000, 1}, {0}},
    {{40, 50, 65}, {0}},       {{40, 50, 65}, {0, 1}},
    {{40, 50, 65}, {1, 2}},    {{40, 50, 65}, {0, 1, 2}},
    {{40, 50, 65}, {2}},       {{40, 50, 65}, {1}},
    {{20, 1, 30, 9}, {0}},     {{20, 1, 30, 9}, {2, 3}},
    {{1, 700, 1, 90}, {1}},    {{3, 5, 7, 11}, {0, 1, 2, 3}},
    {{100000}, {0}},           {{17}, {0}},
    {{1, 100000}, {0, 1}},     {{20, 30, 1, 1}, {0, 2}},
    {{600, 5, 5, 5}, {0, 1}},  {{64, 3, 40, 41}, {0, 2, 3}},
    {{20, 300, 3000}, {1}},    {{3, 5, 7, 11}, {1, 2}},
    {{64, 40, 17}, {1}},       {{2, 3000, 40}, {1}},
    {{30, 1, 20, 50, 6}, {2}}, {{8, 4, 30, 5, 64}, {2, 3}},
    {{40, 2, 70000}, {1}},     {{17, 1000, 1, 20}, {1}},
};

Handle reversed_axes(Handle x) {
    Dims axes;
    for (std::size_t axis = x.rank(); axis-- > 0;) axes.push_back(static_cast<std::int64_t>(axis));
    return ops::permute(std::move(x), axes);
}

TEST_F(FusedReduction, EveryPartOfEveryShapeInEveryLayout) {
    for (const Sample& sample : kSamples) {
        const Dims axes = sample.axes;
        SCOPED_TRACE(text_of(sample.shape) + " axes " + text_of(axes));
        const TensorData x = whole_numbers(sample.shape);
        for (Handle (*reduce)(Handle, Dims) : {ops::sum, ops::mean, ops::max, ops::min}) {
            expect_same(x, [=](Handle x) { return reduce(ops::add_scalar(std::move(x), 1), axes); });
            if (HasFatalFailure()) return;
        }
        Shape reversed;
        for (std::size_t axis = sample.shape.rank(); axis-- > 0;) reversed.push_back(sample.shape[axis]);
        expect_same(whole_numbers(reversed), [=](Handle x) { return ops::sum(reversed_axes(std::move(x)), axes); });
        if (HasFatalFailure()) return;
    }
}

TEST_F(FusedReduction, RowsThatAFewVectorsCover) {
    for (const std::int64_t columns : {1, 2, 3, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129}) {
        SCOPED_TRACE(columns);
        const TensorData x = whole_numbers({90, columns});
        expect_same(x, [](const Handle& x) { return ops::sum(ops::add_scalar(x, 1), {0}); });
        expect_same(x, [](const Handle& x) { return ops::over_all(ops::max, ops::add_scalar(x, 1)); });
        expect_same(x, [](const Handle& x) { return ops::sub(x, ops::sum(x, {1})); });
        expect_same(x, [](const Handle& x) { return ops::mean(ops::sub(x, ops::max(x, {1})), {0}); });
        expect_same(x, [](const Handle& x) { return ops::add(ops::argmin(x, 1), ops::argmax(ops::neg(x), 1)); });
        if (HasFatalFailure()) return;
    }
}

TEST_F(FusedReduction, AnOperandThatIsRepeatedInsideTheRow) {
    // The channel's number is repeated over the picture: rows of two axes that do not join.
    const TensorData x = whole_numbers({6, 4, 10, 13});
    for (const Dims& axes : {Dims{1, 2, 3}, Dims{0}, Dims{0, 1}, Dims{2, 3}, Dims{3}}) {
        SCOPED_TRACE(text_of(axes));
        expect_same(x, [&](const Handle& x) {
            const Handle channel = ops::expand(ops::max(x, {0, 2, 3}), {1, 4, 10, 1});
            const Handle product = ops::mul(x, channel);
            return ops::add(product, ops::sum(product, axes));
        });
        if (HasFatalFailure()) return;
    }
}

TEST_F(FusedReduction, ChannelsAreReducedInTwoSteps) {
    // What the bias of a convolution gets: the sum over batch and picture, with the gradient of the activation that feeds it.
    const auto program = [](const Handle& x) {
        return ops::sum(ops::mul(x, ops::cast(ops::greater_scalar(x, 0), x.dtype())), {0, 2, 3});
    };
    const Handle y = program(engine().upload(whole_numbers({20, 6, 9, 11})));
    EXPECT_EQ(plan(),
              "rows  [20, 6, 9, 11]: greater_scalar cast mul sum; 1 in, 1 out\n"
              "sums  [20, 6, 1, 1]: sum; 1 in, 1 out; apart from sum: their shapes differ\n");
    for (const DType dtype : {DType::F32, DType::F64, DType::I32, DType::F16}) {
        const TensorData x = whole_numbers({20, 6, 9, 11}, dtype);
        expect_same(x, program);
        for (Handle (*reduce)(Handle, Dims) : {ops::max, ops::min, ops::mean})
            expect_same(x, [=](const Handle& x) { return reduce(ops::add(x, x), {0, 2, 3}); });
        expect_same(x, [=](const Handle& x) { return ops::any(ops::equal_scalar(x, 4), {0, 3}); });
        if (HasFatalFailure()) return;
    }
}

TEST_F(FusedReduction, OtherTypes) {
    for (const DType dtype : {DType::F64, DType::F16, DType::BF16, DType::I64, DType::I32, DType::U8, DType::I16}) {
        SCOPED_TRACE(name_of(dtype));
        // Up to 3 of 300 in each sum, so that half types hold the result.
        const TensorData x = whole_numbers({300, 40}, dtype);
        for (const Dims& axes : {Dims{0}, Dims{0, 1}, Dims{1}}) {
            expect_same(x, [&](const Handle& x) { return ops::max(x, axes); });
            expect_same(x, [&](const Handle& x) { return ops::min(ops::add(x, x), axes); });
            expect_same(x,
                        [&](const Handle& x) { return ops::sum(ops::cast(ops::equal_scalar(x, 3), x.dtype()), axes); });
            expect_same(x, [&](const Handle& x) { return ops::any(ops::equal_scalar(x, 4), axes); });
            expect_same(x, [&](const Handle& x) { return ops::all(ops::not_equal_scalar(x, 77), axes); });
            if (HasFatalFailure()) return;
        }
    }
}

TEST_F(FusedReduction, AHalfSumOfColumnsIsMadeInFullPrecision) {
    const Handle x = ops::full(engine(), {3000, 20}, DType::F16, 30);
    const TensorData mean = values(ops::mean(ops::mul_scalar(x, 1), {0}));
    for (std::int64_t i = 0; i < 20; ++i) EXPECT_EQ(mean.at(i), 30) << "the sum alone, 90000, is beyond f16";
}

TEST_F(FusedReduction, NanPassesThroughColumns) {
    std::vector<float> numbers(100 * 20, 1.0f);
    numbers[57 * 20 + 3] = std::numeric_limits<float>::quiet_NaN();
    const Handle x = engine().upload(TensorData::from(std::span<const float>(numbers), {100, 20}));
    const TensorData highest = values(ops::max(ops::mul(x, x), {0}));
    for (std::int64_t i = 0; i < 20; ++i) EXPECT_EQ(std::isnan(highest.at(i)), i == 3) << i;
    EXPECT_TRUE(std::isnan(values(ops::over_all(ops::min, ops::mul(x, x))).at(0)));
}

TEST_F(FusedReduction, WhereTheExtremumIs) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    std::vector<float> numbers(40 * 150, 1.0f);
    const auto row = [&](std::size_t i) { return numbers.begin() + static_cast<std::ptrdiff_t>(i * 150); };
    row(1)[77] = row(1)[140] = 5;                       // the first of equals
    row(2)[33] = nan, row(2)[99] = nan, row(2)[3] = 7;  // the first NaN
    std::fill_n(row(3), 150, -infinity), std::fill_n(row(4), 150, infinity);
    row(5)[149] = -2, row(5)[0] = 3;
    const Handle x = engine().upload(TensorData::from(std::span<const float>(numbers), {40, 150}));
    const Handle y = ops::mul_scalar(x, 2);
    const Handle highest = ops::argmax(y, 1), lowest = ops::argmin(y, 1);
    EXPECT_EQ(plan(), "rows  [40, 150]: mul_scalar argmax argmin; 1 in, 3 out\n");
    const TensorData a = values(highest), b = values(lowest);
    EXPECT_EQ(a.dtype(), DType::I64);
    const std::vector<std::pair<double, double>> expected = {{0, 0}, {77, 0},  {33, 33}, {0, 0},
                                                             {0, 0}, {0, 149}, {0, 0}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(a.at(static_cast<std::int64_t>(i)), expected[i].first) << i;
        EXPECT_EQ(b.at(static_cast<std::int64_t>(i)), expected[i].second) << i;
    }
    for (const DType dtype : {DType::I64, DType::U8, DType::F16, DType::F64}) {
        for (const std::int64_t axis : {0, 1, 2}) {
            expect_same(whole_numbers({30, 1, 37}, dtype),
                        [=](const Handle& x) { return ops::argmax(ops::add(x, x), axis); });
            expect_same(whole_numbers({30, 1, 37}, dtype),
                        [=](const Handle& x) { return ops::argmin(ops::add(x, x), axis); });
        }
    }
    expect_same(whole_numbers({100}), [=](const Handle& x) { return ops::argmax(ops::neg(x), 0); });
}

// By hand: 7 i mod 11 over 40 columns is 10 at columns 3, 14, ..
TEST_F(FusedReduction, APlaceThatNothingFeedsIsLeftToTheBackend) {
    std::vector<float> numbers(20 * 40);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 40 * 7 % 11);
    const Handle x = engine().upload(TensorData::from(std::span<const float>(numbers), {20, 40}));
    const Handle highest = ops::argmax(x, 1);
    EXPECT_EQ(count(plan(), "run"), 1);
    EXPECT_EQ(values(highest).at(19), 3);
    EXPECT_EQ(values(ops::argmax(ops::swap_dims(x, 0, 1), 0)).at(19), 3);
}

// The processor's division is the rule, for numbers of all sizes.
TEST_F(FusedReduction, LongRowsAreDividedToTheLastBit) {
    constexpr std::int64_t kRows = 24, kColumns = 3001;
    std::vector<float> numbers(kRows * kColumns);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto row = static_cast<int>(i / kColumns), exponent = static_cast<int>(i * 31 % 256) - 149;
        // Ordinary numbers in most rows; in the others also 0, subnormal ones and some that overflow.
        const float fraction = 1 + std::fabs(std::sin(static_cast<float>(i)));
        numbers[i] = row % 4 != 3 ? fraction : i % 7 == 0 ? 0 : std::ldexp(fraction, exponent);
    }
    const TensorData data = TensorData::from(std::span<const float>(numbers), {kRows, kColumns});
    const Handle x = engine().upload(data);
    const Handle quotient = ops::div(x, ops::max(x, {1})), other = ops::div(x, ops::min(x, {1}));
    EXPECT_EQ(count(plan(), "rows"), 1);
    const TensorData by_most = values(quotient), by_least = values(other);
    for (std::int64_t i = 0; i < kRows; ++i) {
        const auto row = numbers.begin() + i * kColumns;
        const auto [least, most] = std::minmax_element(row, row + kColumns);
        for (std::int64_t j = 0; j < kColumns; ++j) {
            const auto at = static_cast<std::size_t>(i * kColumns + j);
            ASSERT_EQ(by_most.values<float>()[at], row[j] / *most) << i << ' ' << j;
            const float expected = row[j] / *least, got = by_least.values<float>()[at];
            ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected))) << i << ' ' << j;
        }
    }
}

TEST_F(FusedReduction, TheResultDoesNotDependOnHowManyThreadsThereAre) {
    std::vector<float> numbers(3000 * 70);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<float>(i));
    const TensorData x = TensorData::from(std::span<const float>(numbers), {3000, 70});
    const auto program = [&] {
        const Handle tensor = engine().upload(x), e = ops::exp(tensor);
        const TensorData columns = values(ops::sum(e, {0})), all = values(ops::over_all(ops::sum, e));
        std::vector<double> results{all.at(0)};
        for (std::int64_t i = 0; i < columns.numel(); ++i) results.push_back(columns.at(i));
        return results;
    };
    const auto before = num_threads();
    std::vector<std::vector<double>> results;
    for (const int threads : {1, 2, 3, 8}) {
        set_num_threads(threads);
        results.push_back(program());
    }
    set_num_threads(before);
    for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace burn::fusion::reduction_test
