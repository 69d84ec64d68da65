#include <burn/ops/movement.h>

#include "tests/support/tensors.h"

namespace burn::movement_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;

TEST(Reshape, InfersAndKeepsSizes) {
    const auto x = count_up<3>({2, 3, 4});
    EXPECT_EQ((x.reshape<2>({0, -1}).shape()), (Shape{2, 12}));
    EXPECT_EQ((x.reshape<4>({0, 0, 1, -1}).shape()), (Shape{2, 3, 1, 4}));
    EXPECT_THROW((x.reshape<2>({-1, -1})), ShapeError);
    EXPECT_THROW((x.reshape<2>({5, -1})), ShapeError);
    EXPECT_THROW((x.reshape<2>({5, 5})), ShapeError);
}

TEST(Reshape, OfAnEmptyTensorTakesTheShapeAsItStands) {
    const auto x = Tensor<B, 2>::zeros({2, 0}, device);
    EXPECT_EQ((x.reshape<2>({0, 5}).shape()), (Shape{0, 5}));
    EXPECT_EQ((x.reshape<3>({3, 0, 2}).shape()), (Shape{3, 0, 2}));
    EXPECT_EQ((x.reshape<2>({0, -1}).shape()), (Shape{2, 0}));
}

template <TensorKind K>
void reshape_twice() {
    const auto x = count_up<1, K>({6});
    const auto a = x + 1;
    const auto b = (x.template reshape<2>({3, 2}) * 2).template flatten<1>(0, 1);
    EXPECT_EQ(values(a + b), (Values{1, 4, 7, 10, 13, 16}));
}

TEST(Reshape, SeveralOfOneTensor) {
    reshape_twice<Float>();
    reshape_twice<Int>();
}

TEST(Movedim, KeepsTheOrderOfTheRest) {
    const auto x = count_up<4>({2, 3, 4, 5});
    EXPECT_EQ(x.movedim({0}, {-1}).shape(), (Shape{3, 4, 5, 2}));
    EXPECT_EQ(x.movedim({3, 0}, {0, 2}).shape(), (Shape{5, 3, 2, 4}));
    EXPECT_EQ(values(count_up<2>({2, 3}).movedim({0}, {1})), (Values{0, 3, 1, 4, 2, 5}));
    EXPECT_THROW(x.movedim({0, 0}, {1, 2}), IndexError);
    EXPECT_THROW(x.movedim({0, 1}, {1}), IndexError);
    EXPECT_THROW(x.movedim({4}, {0}), IndexError);
}

TEST(Flatten, JoinsNeighbours) {
    const auto x = count_up<4>({2, 3, 4, 5});
    EXPECT_EQ((x.flatten<2>(1, -1).shape()), (Shape{2, 60}));
    EXPECT_EQ((x.flatten<3>(0, 1).shape()), (Shape{6, 4, 5}));
    EXPECT_EQ((x.flatten<4>(2, 2).shape()), (Shape{2, 3, 4, 5}));
    EXPECT_THROW((x.flatten<2>(2, 1)), IndexError);
}

TEST(Squeeze, DropsAxesOfSizeOne) {
    const auto x = count_up<5>({1, 3, 1, 5, 1});
    EXPECT_EQ((x.squeeze<2>().shape()), (Shape{3, 5}));
    EXPECT_EQ((x.squeeze_dims<3>({0, -1}).shape()), (Shape{3, 1, 5}));
    EXPECT_EQ(x.squeeze_dim(-1).shape(), (Shape{1, 3, 1, 5}));
    EXPECT_THROW(x.squeeze_dim(1), ShapeError);
    EXPECT_EQ((count_up<2>({1, 1}).squeeze<1>().shape()), (Shape{1}));
}

TEST(Unsqueeze, AddsAxesWhereTheyStandInTheResult) {
    const auto x = count_up<2>({3, 5});
    EXPECT_EQ((x.unsqueeze<4>().shape()), (Shape{1, 1, 3, 5}));
    EXPECT_EQ(x.unsqueeze_dim(1).shape(), (Shape{3, 1, 5}));
    EXPECT_EQ(x.unsqueeze_dim(-1).shape(), (Shape{3, 5, 1}));
    EXPECT_EQ((x.unsqueeze_dims<4>({0, 2}).shape()), (Shape{1, 3, 1, 5}));
    EXPECT_EQ((x.unsqueeze_dims<4>({1, 1}).shape()), (Shape{3, 1, 1, 5}));
    EXPECT_EQ((x.unsqueeze_dims<4>({-1, -1}).shape()), (Shape{3, 5, 1, 1}));
    EXPECT_EQ((x.unsqueeze_dims<5>({0, 0, -1}).shape()), (Shape{1, 1, 3, 5, 1}));
    EXPECT_THROW(x.unsqueeze_dim(3), IndexError);
    EXPECT_THROW((x.unsqueeze<1>()), ShapeError);
}

TEST(Movement, GradientsReturn) {
    const Values start = {1, 2, 3, 4, 5, 6};
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.square().movedim({0}, {1}); });
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.square().template flatten<1>(0, 1); });
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.square().unsqueeze_dim(1).template expand<3>({2, 4, 3}); });
}

}  // namespace
}  // namespace burn::movement_test
