#include <burn/ops/pointwise.h>

#include <burn/ops/engine.h>
#include <burn/ops/functions.h>

#include "tests/support/tensors.h"

#include <cmath>
#include <limits>
#include <string>

namespace burn::pointwise_test {
namespace {

using ops::Handle;
using testing::B;
using testing::values;
using Values = std::vector<double>;
using Vector = Tensor<B, 1>;

const Device<B> device;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr DType kFloats[] = {DType::F64, DType::F32, DType::F16, DType::BF16};
constexpr DType kSigned[] = {DType::I64, DType::I32, DType::I16, DType::I8};
constexpr DType kUnsigned[] = {DType::U64, DType::U32, DType::U16, DType::U8};

Handle upload(const TensorData& data, DType dtype) { return NdArray::engine(0).upload(data.convert(dtype)); }

TensorData read(const Handle& handle) { return handle.engine().read(handle).wait(); }

/// Equal numbers, NaN equal to NaN.
void expect_same(const Values& got, const Values& want, const std::string& what) {
    ASSERT_EQ(got.size(), want.size()) << what;
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (std::isnan(want[i])) {
            EXPECT_TRUE(std::isnan(got[i])) << what << ", element " << i << " is " << got[i];
        } else {
            EXPECT_EQ(got[i], want[i]) << what << ", element " << i;
        }
    }
}

// ---- NaN

TEST(PointwiseExtrema, NanWinsOverOneElementOnEitherSide) {
    for (const DType dtype : kFloats) {
        const auto pair = Vector::from({kNan, 3.0}, device).cast(dtype);
        const auto ten = Vector::from({10.0}, device).cast(dtype);
        const auto nan = Vector::from({kNan}, device).cast(dtype);
        expect_same(values(pair.max_pair(ten)), {kNan, 10}, name_of(dtype));
        expect_same(values(ten.max_pair(pair)), {kNan, 10}, name_of(dtype));
        expect_same(values(pair.min_pair(ten)), {kNan, 3}, name_of(dtype));
        expect_same(values(ten.min_pair(pair)), {kNan, 3}, name_of(dtype));
        expect_same(values(pair.max_pair(nan)), {kNan, kNan}, name_of(dtype));
        expect_same(values(nan.min_pair(pair)), {kNan, kNan}, name_of(dtype));
        expect_same(values(pair.clamp(4, 5)), {kNan, 4}, name_of(dtype));
        expect_same(values(pair.clamp_min(10)), {kNan, 10}, name_of(dtype));
        expect_same(values(pair.clamp_max(10)), {kNan, 3}, name_of(dtype));
    }
}

// ---- truth values

TEST(PointwiseComparison, CountsAsZeroAndOne) {
    const auto positive = Vector::from({1.0, 0.0, 3.0}, device).greater_scalar(0);
    EXPECT_EQ(values(positive.int_()), (Values{1, 0, 1}));
    EXPECT_EQ(values(positive.int_().sum()), (Values{2}));
    EXPECT_EQ(values(positive.float_()), (Values{1, 0, 1}));
    EXPECT_EQ(values(Vector::ones({1000}, device).greater_scalar(0).all()), (Values{1}));
}

// ---- arithmetic

TEST(PointwiseRemainder, HasTheSignOfTheDivisor) {
    const auto check = [](DType dtype) {
        const TensorData a = TensorData::from({-7.0, 7.0, -7.0, 7.0});
        const TensorData b = TensorData::from({3.0, -3.0, -3.0, 3.0});
        EXPECT_EQ(values(read(ops::remainder(upload(a, dtype), upload(b, dtype)))), (Values{2, -2, -1, 1}))
            << name_of(dtype);
        EXPECT_EQ(values(read(ops::remainder_scalar(upload(a, dtype), 3))), (Values{2, 1, 2, 1})) << name_of(dtype);
        EXPECT_EQ(values(read(ops::remainder_scalar(upload(a, dtype), -3))), (Values{-1, -2, -1, -2}))
            << name_of(dtype);
    };
    for (const DType dtype : kFloats) check(dtype);
    for (const DType dtype : kSigned) check(dtype);
    for (const DType dtype : kUnsigned) {
        const TensorData a = TensorData::from({7.0, 6.0, 200.0});
        EXPECT_EQ(values(read(ops::remainder_scalar(upload(a, dtype), 3))), (Values{1, 0, 2})) << name_of(dtype);
    }
}

TEST(PointwiseRounding, LeavesWhatIsWholeHoweverLarge) {
    const auto check = [](DType dtype, double large) {
        const Values x = {large, -large, kInf, -kInf, kNan, -0.0};
        const Handle handle = upload(TensorData::from(std::span<const double>(x), {6}), dtype);
        for (const auto& result : {ops::floor(handle), ops::ceil(handle), ops::trunc(handle), ops::round(handle)}) {
            expect_same(values(read(result)), values(read(handle)), name_of(dtype));
        }
        const Handle small = upload(TensorData::from({-2.75, 2.75, -0.5, 2.5}), dtype);
        expect_same(values(read(ops::trunc(small))), {-2, 2, 0, 2}, name_of(dtype));
        expect_same(values(read(ops::floor(small))), {-3, 2, -1, 2}, name_of(dtype));
        expect_same(values(read(ops::ceil(small))), {-2, 3, 0, 3}, name_of(dtype));
        expect_same(values(read(ops::round(small))), {-3, 3, 0, 2}, name_of(dtype));
    };
    check(DType::F32, 1e12);
    check(DType::F32, 3e38);
    check(DType::F64, 1e12);
    check(DType::F64, 4503599627370497.0);  // odd, and the next fraction is not representable
    check(DType::F64, 1e300);
    check(DType::F16, 65504);
    check(DType::BF16, 1e30);
}

// ---- gradients at the edges

TEST(PointwiseGradient, OfABranchNotTakenIsZeroWhateverItsValue) {
    for (const DType dtype : kFloats) {
        const auto odd = Vector::from({kInf, -kInf, kNan}, device).cast(dtype).require_grad();
        const auto x = Vector::from({1.0, 2.0, 3.0}, device).cast(dtype).require_grad();
        const auto never = Tensor<B, 1, Bool>::full({3}, false, device);
        const auto gradients = (x.mask_where(never, odd) * 3).sum().backward();
        EXPECT_EQ(values(*x.grad(gradients)), (Values{3, 3, 3})) << name_of(dtype);
        EXPECT_EQ(values(*odd.grad(gradients)), (Values{0, 0, 0})) << name_of(dtype);
        EXPECT_EQ(values(*odd.grad(odd.mask_fill(!never, 5).sum().backward())), (Values{0, 0, 0})) << name_of(dtype);
    }
}

// 0 times the infinite slope behind the branch is NaN; the rules say how a program avoids it.
TEST(PointwiseGradient, BehindABranchNotTakenFollowsTheChainRule) {
    const auto never = Tensor<B, 1, Bool>::full({1}, false, device);
    const auto zero = Vector::zeros({1}, device);
    const auto x = Vector::from({2.0}, device).require_grad();
    const auto infinite = x.mask_where(never, x / zero) * 3;
    EXPECT_EQ(values(infinite), (Values{6}));
    EXPECT_TRUE(std::isnan(values(*x.grad(infinite.backward()))[0]));
    const auto finite = x.mask_where(never, x / zero.mask_fill(zero.equal_scalar(0), 1)) * 3;
    EXPECT_EQ(values(finite), (Values{6}));
    EXPECT_EQ(values(*x.grad(finite.backward())), (Values{3}));
}

TEST(PointwiseGradient, OfPowersAtZero) {
    for (const DType dtype : kFloats) {
        const auto a = Vector::from({0.0, 2.0, 0.0}, device).cast(dtype).require_grad();
        const auto b = Vector::from({1.0, 1.0, 0.0}, device).cast(dtype).require_grad();
        const auto gradients = a.powf(b).sum().backward();
        EXPECT_EQ(values(*a.grad(gradients)), (Values{1, 1, 0})) << name_of(dtype);
        const Values db = values(*b.grad(gradients));
        EXPECT_EQ((Values{db[0], db[2]}), (Values{0, 0})) << name_of(dtype);
        EXPECT_NEAR(db[1], 1.386294, dtype == DType::F64 || dtype == DType::F32 ? 1e-6 : 1e-2) << name_of(dtype);

        const auto zero = Vector::zeros({1}, device).cast(dtype).require_grad();
        const auto gradient = [&](const auto& y) { return values(*zero.grad(y.backward())); };
        EXPECT_EQ(gradient(zero.powf_scalar(2)), (Values{0})) << name_of(dtype);
        EXPECT_EQ(gradient(zero.powf_scalar(1)), (Values{1})) << name_of(dtype);
        EXPECT_EQ(gradient(zero.powf_scalar(0)), (Values{0})) << name_of(dtype);
        EXPECT_EQ(gradient(zero.square()), (Values{0})) << name_of(dtype);
        EXPECT_EQ(gradient(zero.sqrt()), (Values{kInf})) << name_of(dtype);
        EXPECT_EQ(gradient(zero.abs()), (Values{0})) << name_of(dtype);
    }
}

// Every operand of a broadcast gets a gradient of its own shape.
TEST(PointwiseGradient, SumsOverBroadcastAxes) {
    using Matrix = Tensor<B, 2>;
    const auto a = Matrix::from({{1}, {2}}, device).require_grad();
    const auto b = Matrix::from({{1, 2, 4}}, device).require_grad();
    const auto expect = [&](const Matrix& y, const Values& da, const Values& db) {
        const auto gradients = y.sum().backward();
        EXPECT_EQ(a.grad(gradients)->shape(), a.shape());
        EXPECT_EQ(b.grad(gradients)->shape(), b.shape());
        EXPECT_EQ(values(*a.grad(gradients)), da);
        EXPECT_EQ(values(*b.grad(gradients)), db);
    };
    expect((a + b).square(), {20, 26}, {10, 14, 22});  // 2 (a + b)
    expect((a - b).square(), {-8, -2}, {-2, 2, 10});   // 2 (a - b), 2 (b - a)
    expect(a * b, {7, 7}, {3, 3, 3});
    expect(a / b, {1.75, 1.75}, {-3, -0.75, -0.1875});  // 1 / b, -a / b^2
    const auto mask = Tensor<B, 2>::from({{1, 0, 1}, {0, 0, 1}}, device).bool_();
    expect(a.expand<2>({2, 3}).mask_where(mask, b.expand<2>({2, 3})), {1, 2}, {1, 0, 2});
}

}  // namespace
}  // namespace burn::pointwise_test
