#include <burn/core/tolerance.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace burn::tolerance_test {
namespace {

using testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Body>
std::string message_of(ErrorKind kind, Body body) {
    try {
        body();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was raised";
    return {};
}

TEST(Tolerance, PresetsAreTheDocumentedOnes) {
    EXPECT_EQ(Tolerance().relative_for(DType::F32), 0.005);
    EXPECT_EQ(Tolerance().absolute_for(DType::F32), 1e-5);
    EXPECT_EQ(Tolerance::permissive().relative_for(DType::F16), 0.01);
    EXPECT_EQ(Tolerance::permissive().absolute_for(DType::F16), 0.01);
    EXPECT_EQ(Tolerance::strict().relative_for(DType::F32), 0);
    EXPECT_EQ(Tolerance::strict().absolute_for(DType::F32), 64 * 0x1p-126);
    EXPECT_EQ(Tolerance::strict().absolute_for(DType::F16), 64 * 0x1p-14);
    EXPECT_EQ(Tolerance::strict().absolute_for(DType::F64), 64 * 0x1p-1022);
}

TEST(Tolerance, TheBoundIsTheLargerOfTheTwoAndIsNotReached) {
    const Tolerance tolerance = Tolerance::rel_abs(0.25, 0.5);
    EXPECT_TRUE(tolerance.accepts(1, 1.4375, DType::F32));  // absolute: 0.4375 < 0.5
    EXPECT_FALSE(tolerance.accepts(1, 1.5, DType::F32));    // 0.5 is not below 0.5
    EXPECT_TRUE(tolerance.accepts(6, 7.9375, DType::F32));  // relative: 1.9375 < 0.25 * 7.9375
    EXPECT_FALSE(tolerance.accepts(6, 8, DType::F32));
    EXPECT_TRUE(tolerance.accepts(-8, -6.0625, DType::F32));
    EXPECT_TRUE(Tolerance::rel_abs(0, 0).accepts(3, 3, DType::F32));
}

TEST(Tolerance, NanMatchesNanAndInfinitiesTheirSign) {
    const Tolerance any = Tolerance::rel_abs(10, 1e30);
    EXPECT_TRUE(any.accepts(kNan, kNan, DType::F32));
    EXPECT_FALSE(any.accepts(kNan, 0, DType::F32));
    EXPECT_TRUE(any.accepts(kInf, kInf, DType::F32));
    EXPECT_FALSE(any.accepts(kInf, -kInf, DType::F32));
    EXPECT_FALSE(any.accepts(kInf, 1, DType::F32));
}

TEST(Tolerance, PrecisionsHaveBoundsOfTheirOwn) {
    const Tolerance tolerance = Tolerance::absolute(0.125)
                                    .set_half_precision_absolute(1)
                                    .set_half_precision_relative(0.5)
                                    .set_single_precision_relative(0.375)
                                    .set_double_precision_absolute(0.0625);
    EXPECT_EQ(tolerance.absolute_for(DType::F16), 1);
    EXPECT_EQ(tolerance.absolute_for(DType::BF16), 1);
    EXPECT_EQ(tolerance.relative_for(DType::BF16), 0.5);
    EXPECT_EQ(tolerance.absolute_for(DType::F32), 0.125);
    EXPECT_EQ(tolerance.relative_for(DType::F32), 0.375);
    EXPECT_EQ(tolerance.absolute_for(DType::F64), 0.0625);
    EXPECT_EQ(tolerance.relative_for(DType::F64), 0);
}

TEST(AssertEq, ComparesShapeTypeAndValues) {
    const TensorData data = TensorData::from({1.0f, kNan, 3.0f});
    EXPECT_NO_THROW(assert_eq(data, TensorData::from({1.0f, kNan, 3.0f})));
    EXPECT_NO_THROW(assert_eq(TensorData::from({0.0f}), TensorData::from({-0.0f})));
    EXPECT_THROW(assert_eq(data, data.reshape({1, 3})), ShapeError);
    EXPECT_THROW(assert_eq(data, data.convert(DType::F64)), DTypeError);
    EXPECT_NO_THROW(assert_eq(data, data.convert(DType::F64), false));
    EXPECT_EQ(message_of(ErrorKind::Argument, [&] { assert_eq(data, TensorData::from({1.0f, 2.0f, 4.0f})); }),
              "assert_eq: 2 of 3 elements differ\n  at [1]: nan, expected 2\n  at [2]: 3, expected 4");
}

TEST(AssertEq, SeesTheLastBitOf64BitIntegers) {
    const TensorData big = TensorData::from<std::int64_t>({INT64_MAX});
    EXPECT_THROW(assert_eq(big, TensorData::from<std::int64_t>({INT64_MAX - 1})), ArgumentError);
    EXPECT_THROW(assert_eq(TensorData::from<std::int64_t>({-1}), TensorData::from<std::uint64_t>({~0ull}), false),
                 ArgumentError);
}

TEST(AssertApproxEq, ListsTheWorstFirst) {
    const TensorData want = TensorData::from({{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}});
    const TensorData got = TensorData::from({{1.0f, 0.0f, 3.0f}, {0.25f, 6.0f, 2.0f}, {5.0f, 4.0f, kInf}});
    EXPECT_EQ(message_of(ErrorKind::Argument, [&] { assert_approx_eq(got, want, Tolerance::absolute(0.5)); }),
              "assert_approx_eq: 7 of 9 elements differ (relative 0, absolute 0.5), the worst\n"
              "  at [2, 2]: inf, expected 0\n  at [1, 1]: 6, expected 0\n  at [2, 0]: 5, expected 0\n  at [2, 1]: 4, "
              "expected 0\n"
              "  at [0, 2]: 3, expected 0");
    EXPECT_NO_THROW(assert_approx_eq(want, want, Tolerance::strict()));
}

TEST(AssertApproxEq, UsesTheCoarserType) {
    const TensorData exact = TensorData::from({1.0f});
    const TensorData half = TensorData::from({f16(1.0625f)});
    const Tolerance tolerance = Tolerance::strict().set_half_precision_absolute(0.125);
    EXPECT_NO_THROW(assert_approx_eq(half, exact, tolerance));
    EXPECT_THROW(assert_approx_eq(half.convert(DType::F32), exact, tolerance), ArgumentError);
    EXPECT_THROW(assert_approx_eq(exact, TensorData::from<std::int32_t>({1})), DTypeError);
    EXPECT_THROW(assert_approx_eq(TensorData::from<std::int32_t>({1000}), TensorData::from<std::int32_t>({1001})),
                 ArgumentError);
}

TEST(AssertWithinRange, TellsTheUpperBoundApart) {
    const TensorData data = TensorData::from({0.0f, 1.0f});
    EXPECT_NO_THROW(assert_within_range_inclusive(data, 0, 1));
    EXPECT_THAT(message_of(ErrorKind::Argument, [&] { assert_within_range(data, 0, 1); }),
                HasSubstr("element [1] is 1; expected [0, 1)"));
    EXPECT_THROW(assert_within_range_inclusive(TensorData::from({kNan}), -1e30, 1e30), ArgumentError);
}

}  // namespace
}  // namespace burn::tolerance_test
