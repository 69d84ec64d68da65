#include <burn/ops/reduce.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/statistics.h>

#include "tests/support/values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace burn::ops::reduce_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Engine& engine() { return NdArray::engine(0); }

std::vector<double> read(const Handle& handle) { return values(engine().read(handle).wait()); }

Handle upload(const std::vector<double>& numbers, const Shape& shape, DType dtype) {
    return engine().upload(TensorData::from(std::span(numbers), shape).convert(dtype));
}

/// -0 differs from 0 here, and NaN equals NaN.
void expect_same(double got, double expected, const std::string& where) {
    if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << where << ": " << got;
    } else {
        EXPECT_EQ(got, expected) << where;
        EXPECT_EQ(std::signbit(got), std::signbit(expected)) << where;
    }
}

/// The variance of n elements: none, one, or -1 and 1.
struct VarCase {
    std::int64_t n;
    std::int64_t correction;
    double expected;
};

const VarCase kVarCases[] = {
    {0, 0, kNan},
    {0, 1, kNan},
    {0, 7, kNan},
    {1, -1, 0},
    {1, 0, 0},
    {1, 1, kNan},
    {1, 2, kNan},
    {2, 0, 1},
    {2, 1, 2},
    {2, -2, 0.5},
    {2, 2, kInfinity},
    {2, 3, kInfinity},
    {2, std::numeric_limits<std::int64_t>::max(), kInfinity},
};

std::vector<double> elements(std::int64_t n) {
    if (n < 2) return std::vector<double>(static_cast<std::size_t>(n), 5);
    return {-1, 1};
}

TEST(Var, DividesByTheDegreesOfFreedomAndNeverByLessThanNone) {
    for (const VarCase& c : kVarCases) {
        for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16}) {
            const std::string where = "n " + std::to_string(c.n) + ", correction " + std::to_string(c.correction);
            // Along a row, down a column, and over two axes at once.
            const Handle x = upload(elements(c.n), {c.n}, dtype);
            const struct {
                Shape shape;
                Dims axes;
            } forms[] = {{{1, c.n}, {1}}, {{c.n, 1}, {0}}, {{1, c.n, 1}, {1, 2}}};
            for (const auto& form : forms) {
                const Var op{form.axes, c.correction};
                EXPECT_EQ(op.divisor(form.shape),
                          std::max(0.0, static_cast<double>(c.n) - static_cast<double>(c.correction)));
                const Handle operand = reshape(x, form.shape);
                const std::vector<double> whole = read(var(operand, form.axes, c.correction));
                const std::vector<double> parts = read(op.decompose(list_of(operand))[0]);
                ASSERT_EQ(whole.size(), 1u);
                ASSERT_EQ(parts.size(), 1u);
                expect_same(whole[0], c.expected, where + ", kernel");
                expect_same(parts[0], c.expected, where + ", decomposition");
            }
        }
    }
}

TEST(Var, HasTheGradientOfThatDivisor) {
    for (const VarCase& c : kVarCases) {
        const std::string where = "n " + std::to_string(c.n) + ", correction " + std::to_string(c.correction);
        const std::vector<double> numbers = elements(c.n);
        const Handle x = autodiff::require_grad(autodiff::from_inner(upload(numbers, {c.n}, DType::F64)));
        const Handle dx = autodiff::backward(var(x, {0}, c.correction)).get(x);
        const std::vector<double> got = read(dx);
        ASSERT_EQ(got.size(), numbers.size());
        const double divisor = Var{{0}, c.correction}.divisor({c.n});
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double deviation = c.n == 2 ? numbers[i] : 0;
            expect_same(got[i], deviation * (2 / divisor), where);
        }
    }
}

TEST(Cov, HasTheDivisorOfVar) {
    for (const VarCase& c : kVarCases) {
        const std::string where = "n " + std::to_string(c.n) + ", correction " + std::to_string(c.correction);
        const Handle x = upload(elements(c.n), {c.n, 1}, DType::F64);
        expect_same(read(cov(x, 0, c.correction))[0], c.expected, where);
        expect_same(read(cov(reshape(x, {1, c.n}), -1, c.correction))[0], c.expected, where);
    }
}

TEST(Mean, OfMoreIntegersThanTheirTypeCounts) {
    for (const DType dtype : {DType::I8, DType::U8, DType::I64})
        EXPECT_EQ(read(mean(upload(std::vector<double>(300, 101), {300}, dtype), {0})), (std::vector<double>{101}));
    EXPECT_EQ(read(mean(upload(std::vector<double>(300, -101), {300}, DType::I8), {0})), (std::vector<double>{-101}));
}

}  // namespace
}  // namespace burn::ops::reduce_test
