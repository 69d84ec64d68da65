#include <burn/tensor/masked.h>

#include "tests/support/tensors.h"

namespace burn::masked_test {
namespace {

using testing::B;
using testing::count_up;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;

TEST(MaskSelect, TakesWhereTheMaskHolds) {
    const auto x = count_up<2>({2, 3});
    EXPECT_EQ(values(x.mask_select(x.remainder_scalar(2).equal_scalar(1))), (Values{1, 3, 5}));
    EXPECT_EQ(values(x.transpose().mask_select(x.transpose().greater_scalar(2))), (Values{3, 4, 5}));
    EXPECT_EQ(values(x.bool_().mask_select(x.lower_scalar(2))), (Values{0, 1}));
    EXPECT_THROW(x.mask_select(Tensor<B, 2, Bool>::full({1, 3}, true, device)), ShapeError);
    EXPECT_THROW(detail::mask_select(x.handle(), x.handle()), DTypeError);
}

TEST(MaskSelect, OfNothingHasAGradient) {
    const auto x = Tensor<B, 1>::from({1, 2, 3}, device).require_grad();
    const auto selected = x.mask_select(Tensor<B, 1, Bool>::full({3}, false, device));
    EXPECT_EQ(selected.shape(), (Shape{0}));
    const auto loss = selected.sum();
    EXPECT_EQ(values(loss), (Values{0}));
    const auto gradient = x.grad(loss.backward());
    ASSERT_TRUE(gradient.has_value());
    EXPECT_EQ(values(*gradient), (Values{0, 0, 0}));
}

TEST(MaskSelect, GradientReturnsToItsPlaces) {
    const auto x = Tensor<B, 2>::from({{1, 2}, {3, 4}}, device).require_grad();
    const auto loss = x.mask_select(x.greater_scalar(1.5)).square().sum();
    EXPECT_EQ(values(*x.grad(loss.backward())), (Values{0, 4, 6, 8}));
}

TEST(Argwhere, ListsTrueElements) {
    const auto mask = Tensor<B, 2>::from({{0, 1, 0}, {1, 0, 1}}, device).bool_();
    EXPECT_EQ(values(mask.argwhere()), (Values{0, 1, 1, 0, 1, 2}));
    const auto axes = mask.nonzero();
    ASSERT_EQ(axes.size(), 2u);
    EXPECT_EQ(values(axes[0]), (Values{0, 1, 1}));
    EXPECT_EQ(values(axes[1]), (Values{1, 0, 2}));
    EXPECT_EQ(values(mask.transpose().argwhere()), (Values{0, 1, 1, 0, 2, 1}));
    const auto none = Tensor<B, 2, Bool>::full({2, 3}, false, device);
    EXPECT_EQ(none.argwhere().shape(), (Shape{0, 2}));
    EXPECT_EQ(none.nonzero()[1].shape(), (Shape{0}));
}

}  // namespace
}  // namespace burn::masked_test
