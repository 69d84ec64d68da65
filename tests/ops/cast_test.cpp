#include <burn/ops/cast.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

#include <gtest/gtest.h>

#include <limits>

namespace burn::cast_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TensorData cast_data(const TensorData& data, DType dtype) {
    ops::Engine& engine = NdArray::engine(0);
    return engine.read(ops::cast(engine.upload(data), dtype)).wait();
}

TEST(Cast, FloatToIntTruncatesAndSaturates) {
    const TensorData data = TensorData::from({1.9f, -1.9f, 300.0f, -1e20f, kInf, kNan});
    EXPECT_EQ(cast_data(data, DType::I8), TensorData::from<std::int8_t>({1, -1, 127, -128, 127, 0}));
    EXPECT_EQ(cast_data(data, DType::U8), TensorData::from<std::uint8_t>({1, 0, 255, 0, 255, 0}));
    EXPECT_EQ(cast_data(data, DType::I64), TensorData::from<std::int64_t>({1, -1, 300, INT64_MIN, INT64_MAX, 0}));
}

TEST(Cast, IntToIntKeepsTheLowBits) {
    const TensorData data = TensorData::from<std::int32_t>({300, -1, 128});
    EXPECT_EQ(cast_data(data, DType::U8), TensorData::from<std::uint8_t>({44, 255, 128}));
    EXPECT_EQ(cast_data(data, DType::I8), TensorData::from<std::int8_t>({44, -1, -128}));
    EXPECT_EQ(cast_data(data, DType::U64), TensorData::from<std::uint64_t>({300, ~0ull, 128}));
}

TEST(Cast, BoolIsNotZeroAndTrueIsOne) {
    EXPECT_EQ(cast_data(TensorData::from({0.0f, -0.0f, 0.5f, kNan}), DType::Bool),
              TensorData::from({false, false, true, true}));
    EXPECT_EQ(cast_data(TensorData::from({false, true}), DType::F16), TensorData::from({f16(0), f16(1)}));
    EXPECT_EQ(cast_data(TensorData::from({false, true}), DType::I16), TensorData::from<std::int16_t>({0, 1}));
}

TEST(Cast, EveryPairOfTypesKeepsOne) {
    for (int from = 0; from < kDTypeCount; ++from) {
        for (int to = 0; to < kDTypeCount; ++to) {
            const TensorData data = TensorData::from({0.0f, 1.0f}).convert(static_cast<DType>(from));
            const TensorData result = cast_data(data, static_cast<DType>(to));
            EXPECT_EQ(result.dtype(), static_cast<DType>(to));
            EXPECT_EQ(result.at(0), 0);
            EXPECT_EQ(result.at(1), 1);
        }
    }
}

TEST(Cast, ReadsViews) {
    ops::Engine& engine = NdArray::engine(0);
    const ops::Handle turned =
        ops::swap_dims(engine.upload(TensorData::from({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}})), 0, 1);
    const ops::Handle wide = ops::expand(ops::reshape(turned, {3, 1, 2}), {3, 2, 2});
    const TensorData expected = TensorData::from<std::int32_t>({{{1, 4}, {1, 4}}, {{2, 5}, {2, 5}}, {{3, 6}, {3, 6}}});
    EXPECT_EQ(engine.read(ops::cast(wide, DType::I32)).wait(), expected);
}

TEST(Cast, GradientComesBackInTheOperandsType) {
    ops::Engine& engine = Autodiff<NdArray>::engine(0);
    const ops::Handle x = autodiff::require_grad(engine.upload(TensorData::from({1.0f, 2.0f})));
    const ops::Handle wide = ops::cast(x, DType::F64);
    const autodiff::Gradients gradients = autodiff::backward(ops::sum_all(ops::mul_scalar(wide, 3)));
    const ops::Handle gradient = gradients.get(x);
    EXPECT_EQ(gradient.engine().read(gradient).wait(), TensorData::from({3.0f, 3.0f}));
}

TEST(Cast, NothingFlowsThroughOtherKinds) {
    ops::Engine& engine = Autodiff<NdArray>::engine(0);
    const ops::Handle x = autodiff::require_grad(engine.upload(TensorData::from({1.5f})));
    EXPECT_FALSE(autodiff::is_tracked(ops::cast(ops::cast(x, DType::I32), DType::F32)));
}

}  // namespace
}  // namespace burn::cast_test
