#include <burn/ops/masks.h>

#include "tests/support/tensors.h"

namespace burn::masks_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;
using Mask = Tensor<B, 2, Bool>;

const Device<B> device;

TEST(Masks, AreTrueOutsideTheirPart) {
    EXPECT_EQ(values(Mask::triu_mask({2, 3}, 0, device)), (Values{0, 0, 0, 1, 0, 0}));
    EXPECT_EQ(values(Mask::triu_mask({2, 3}, 1, device)), (Values{1, 0, 0, 1, 1, 0}));
    EXPECT_EQ(values(Mask::tril_mask({2, 3}, 0, device)), (Values{0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(values(Mask::tril_mask({2, 3}, -1, device)), (Values{1, 1, 1, 0, 1, 1}));
    EXPECT_EQ(values(Mask::diag_mask({2, 2}, 0, device)), (Values{0, 1, 1, 0}));
    EXPECT_EQ(values(Tensor<B, 3, Bool>::diag_mask({2, 1, 2}, 1, device)), (Values{1, 0, 1, 0}));
    EXPECT_EQ(Mask::triu_mask({0, 3}, 0, device).shape(), (Shape{0, 3}));
    EXPECT_THROW(ops::triu_mask(device.engine(), {3}, 0), ShapeError);
    EXPECT_EQ(values(Mask::triu_mask({2, 2}, INT64_MAX, device)), (Values{1, 1, 1, 1}));
    EXPECT_EQ(values(Mask::tril_mask({2, 2}, INT64_MAX, device)), (Values{0, 0, 0, 0}));
    EXPECT_EQ(values(Mask::diag_mask({2, 2}, INT64_MIN, device)), (Values{1, 1, 1, 1}));
}

TEST(Triangle, ClearsTheRest) {
    const auto x = count_up<2>({3, 3}) + 1;
    EXPECT_EQ(values(x.triu()), (Values{1, 2, 3, 0, 5, 6, 0, 0, 9}));
    EXPECT_EQ(values(x.tril(-1)), (Values{0, 0, 0, 4, 0, 0, 7, 8, 0}));
    EXPECT_EQ(values(x.int_().triu(2)), (Values{0, 0, 3, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(values(count_up<3>({2, 2, 2}).tril()), (Values{0, 0, 2, 3, 4, 0, 6, 7}));
    expect_gradient<2>({1, 2, 3, 4}, {2, 2}, [](auto y) { return y.square().triu(); });
    EXPECT_THROW(ops::tril(count_up<1>({3}).handle(), 0), ShapeError);
}

TEST(Eye, HasOnesOnTheDiagonal) {
    EXPECT_EQ(values(Tensor<B, 2>::eye(2, device)), (Values{1, 0, 0, 1}));
    EXPECT_EQ(values(Tensor<B, 2, Int>::eye(2, device)), (Values{1, 0, 0, 1}));
    EXPECT_EQ((Tensor<B, 2>::eye(0, device).shape()), (Shape{0, 0}));
}

TEST(OneHot, MarksClasses) {
    const auto x = Tensor<B, 1, Int>::from({1, 0, 2}, device);
    EXPECT_EQ(values(x.one_hot(3)), (Values{0, 1, 0, 1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(x.cast(DType::U8).one_hot(3).dtype(), DType::U8);
    const auto filled = Tensor<B, 1, Int>::from({-1, 0}, device).one_hot_fill<Float>(3, 2.5, -0.5, 0);
    EXPECT_EQ(filled.shape(), (Shape{3, 2}));
    EXPECT_EQ(values(filled), (Values{-0.5, 2.5, -0.5, -0.5, 2.5, -0.5}));
    EXPECT_THROW(x.one_hot(2), IndexError);
    EXPECT_THROW((Tensor<B, 1, Int>::from({-4}, device).one_hot(3)), IndexError);
    EXPECT_THROW(x.one_hot(0), ArgumentError);
    EXPECT_THROW(x.one_hot_fill<Int>(3, 0.5, 0, 0), DTypeError);
    try {
        (void)x.one_hot(2);
        FAIL() << "class 2 of 2";
    } catch (const IndexError& error) {
        EXPECT_STREQ(error.what(), "one_hot: index 2 is out of range on axis 1 of x [3, 2]; expected 0 to 1");
    }
}

TEST(OneHot, OfMoreClassesThanTheTypeCounts) {
    const auto x = Tensor<B, 1, Int>::from({-1, 100}, device).cast(DType::I8);
    const auto y = x.one_hot_fill(300, 1, 0, -1);
    EXPECT_EQ(values(y.argmax(1)), (Values{299, 100}));
}

}  // namespace
}  // namespace burn::masks_test
