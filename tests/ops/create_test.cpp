#include <burn/ops/create.h>

#include <burn/ops/engine.h>

#include <cmath>

#include "tests/support/tensors.h"

namespace burn::create_test {
namespace {

using testing::B;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;

TEST(Arange, CountsUpAndDown) {
    EXPECT_EQ(values(Tensor<B, 1, Int>::arange(-1, 4, device)), (Values{-1, 0, 1, 2, 3}));
    EXPECT_EQ(values(Tensor<B, 1, Int>::arange_step(-1, 9, 2, device)), (Values{-1, 1, 3, 5, 7}));
    EXPECT_EQ(values(Tensor<B, 1, Int>::arange_step(5, 0, -2, device)), (Values{5, 3, 1}));
    EXPECT_EQ((Tensor<B, 1, Int>::arange(4, 4, device).shape()), (Shape{0}));
    EXPECT_EQ((Tensor<B, 1, Int>::arange_step(0, 4, -1, device).shape()), (Shape{0}));
    EXPECT_EQ(values(Tensor<B, 1>::arange(0, 3, device)), (Values{0, 1, 2}));
    EXPECT_THROW((Tensor<B, 1, Int>::arange_step(0, 4, 0, device)), ArgumentError);
}

TEST(Arange, ReachesTheEndsOf64Bits) {
    ops::Engine& engine = NdArray::engine(0);
    const ops::Handle x = ops::arange(engine, INT64_MIN, INT64_MAX, INT64_MAX, DType::I64);
    EXPECT_EQ(engine.read(x).wait(), TensorData::from<std::int64_t>({INT64_MIN, -1, INT64_MAX - 1}));
    const ops::Handle down = ops::arange(engine, 0, -3, INT64_MIN, DType::I64);
    EXPECT_EQ(engine.read(down).wait(), TensorData::from<std::int64_t>({0}));
    EXPECT_THROW(ops::arange(engine, 0, 3, 1, DType::Bool), DTypeError);
}

TEST(Full, RefusesNumbersThatTheTypeDoesNotHave) {
    const auto x = Tensor<B, 1, Int>::zeros({2}, device).cast(DType::U8);
    EXPECT_EQ(values(x.full_like(255)), (Values{255, 255}));
    try {
        (void)x.full_like(-1);
        FAIL() << "-1 in u8";
    } catch (const DTypeError& error) {
        EXPECT_STREQ(error.what(), "full_like: the scalar -1 does not fit u8; expected a whole number from 0 to 255");
    }
    EXPECT_THROW((Tensor<B, 1, Int>::full({2}, 1.5, device)), DTypeError);
    EXPECT_THROW((Tensor<B, 1, Int>::full({2}, std::nan(""), device)), DTypeError);
}

TEST(Full, TakesAnyTypeAndEmptyShapes) {
    EXPECT_EQ(values(Tensor<B, 2>::full({1, 2}, 1.5, device)), (Values{1.5, 1.5}));
    EXPECT_EQ((Tensor<B, 2, Bool>::full({0, 2}, true, device).shape()), (Shape{0, 2}));
    EXPECT_THROW((Tensor<B, 2>::zeros({-1, 2}, device)), ShapeError);
}

}  // namespace
}  // namespace burn::create_test
