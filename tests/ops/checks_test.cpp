#include <burn/ops/checks.h>

#include <burn/base/error.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace burn::ops::checks_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// What is said of a scalar; empty where it fits.
std::string fault(Scalar scalar, DType dtype) {
    try {
        require_scalar_fits(scalar, dtype, "add_scalar");
    } catch (const DTypeError& error) {
        return error.what();
    }
    return {};
}

TEST(RequireScalarFits, TakesWhatTheTypeHas) {
    for (const Scalar scalar : {Scalar(0), Scalar(-128), Scalar(127), Scalar(-128.0), Scalar(127.0), Scalar(true)})
        EXPECT_EQ(fault(scalar, DType::I8), "");
    for (const Scalar scalar : {Scalar(0), Scalar(255), Scalar(255.0), Scalar(-0.0)})
        EXPECT_EQ(fault(scalar, DType::U8), "");
    for (const Scalar scalar : {Scalar(INT64_MIN), Scalar(INT64_MAX), Scalar(-0x1p63), Scalar(0x1.fffffffffffffp62)})
        EXPECT_EQ(fault(scalar, DType::I64), "");
    for (const Scalar scalar : {Scalar(UINT64_MAX), Scalar(INT64_MAX), Scalar(0x1p63), Scalar(0x1.fffffffffffffp63)})
        EXPECT_EQ(fault(scalar, DType::U64), "");
}

TEST(RequireScalarFits, NamesOperationTypeAndNumber) {
    EXPECT_EQ(fault(128, DType::I8),
              "add_scalar: the scalar 128 does not fit i8; expected a whole number from -128 to 127");
    EXPECT_EQ(fault(-1, DType::U16),
              "add_scalar: the scalar -1 does not fit u16; expected a whole number from 0 to 65535");
    EXPECT_EQ(fault(0.5, DType::U8),
              "add_scalar: the scalar 0.5 does not fit u8; expected a whole number from 0 to 255");
    EXPECT_EQ(fault(UINT64_MAX, DType::I64),
              "add_scalar: the scalar 18446744073709551615 does not fit i64; expected a whole number from "
              "-9223372036854775808 to 9223372036854775807");
}

TEST(RequireScalarFits, RefusesWhatWouldWrapOrBeCut) {
    for (const DType dtype :
         {DType::I8, DType::I16, DType::I32, DType::I64, DType::U8, DType::U16, DType::U32, DType::U64})
        for (const Scalar scalar : {Scalar(0.5), Scalar(kNan), Scalar(kInfinity), Scalar(-kInfinity), Scalar(1e30)})
            EXPECT_NE(fault(scalar, dtype), "") << name_of(dtype) << ' ' << scalar.to<double>();
    for (const DType dtype : {DType::U8, DType::U16, DType::U32, DType::U64}) {
        EXPECT_NE(fault(-1, dtype), "") << name_of(dtype);
        EXPECT_NE(fault(-1.0, dtype), "") << name_of(dtype);
    }
    EXPECT_NE(fault(INT64_C(1) << 31, DType::I32), "");
    EXPECT_NE(fault(0x1p31, DType::I32), "");
    EXPECT_NE(fault(INT64_C(1) << 32, DType::U32), "");
    EXPECT_NE(fault(0x1p63, DType::I64), "");
    EXPECT_NE(fault(0x1p64, DType::U64), "");
}

TEST(RequireScalarFits, FloatTakesEveryNumberAndBoolEveryWholeOne) {
    for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16})
        for (const Scalar scalar : {Scalar(kNan), Scalar(kInfinity), Scalar(0.1), Scalar(UINT64_MAX)})
            EXPECT_EQ(fault(scalar, dtype), "");
    for (const Scalar scalar : {Scalar(true), Scalar(2), Scalar(-1.0)}) EXPECT_EQ(fault(scalar, DType::Bool), "");
    EXPECT_EQ(fault(0.5, DType::Bool), "add_scalar: the scalar 0.5 does not fit bool; expected a whole number");
    EXPECT_NE(fault(kNan, DType::Bool), "");
}

}  // namespace
}  // namespace burn::ops::checks_test
