#include "sample_modules.h"

#include <gtest/gtest.h>

namespace burn::rebind_test {
namespace {

using sample::Affine;
using sample::Everything;
using sample::Scale;
using sample::Table;
using sample::Wrapped;
using A = Autodiff<NdArray>;

static_assert(std::is_same_v<decltype(Everything<A>().valid()), Everything<NdArray>>);
static_assert(std::is_same_v<decltype(Everything<NdArray>().train()), Everything<A>>);
static_assert(std::is_same_v<decltype(Wrapped<A, Affine<A>>().valid()), Wrapped<NdArray, Affine<NdArray>>>);
static_assert(std::is_same_v<decltype(Wrapped<A, std::vector<Affine<A>>>().valid()),
                             Wrapped<NdArray, std::vector<Affine<NdArray>>>>);
static_assert(std::is_same_v<decltype(Table<A, 3>().valid()), Table<NdArray, 3>>);
static_assert(std::is_same_v<decltype(Affine<Autodiff<A>>().valid()), Affine<A>>);
static_assert(std::is_same_v<decltype(Affine<NdArray>().valid()), Affine<NdArray>>);
static_assert(std::is_same_v<decltype(Scale().valid()), Scale>);

TEST(Valid, KeepsValuesIdsTiesAndConstants) {
    const auto module = sample::make_everything<A>(Device<A>());
    const Everything<NdArray> inner = module.valid();
    EXPECT_EQ(inner.first.weight.value().to_data(), module.first.weight.value().to_data());
    EXPECT_EQ(inner.first.weight.id(), module.first.weight.id());
    EXPECT_EQ(inner.wrapped.inner.weight.id(), inner.first.weight.id());
    EXPECT_TRUE(inner.wrapped.inner.weight.value().handle().same(inner.first.weight.value().handle()));
    ASSERT_EQ(inner.layers.size(), 2u);
    EXPECT_EQ(inner.layers[0].bias->value().to_data().at(0), 2);
    EXPECT_FALSE(inner.layers[1].bias.has_value());
    ASSERT_EQ(inner.gains.size(), 1u);
    EXPECT_EQ(inner.gains[0].id(), module.gains[0].id());
    EXPECT_FALSE(inner.absent.has_value());
    EXPECT_EQ(inner.table.entries.value().to_data().at(4), 1);
    EXPECT_EQ(inner.mean.value().to_data().at(1), 0);
    EXPECT_EQ(inner.constant.to_data().at(1), 7);
    EXPECT_EQ(inner.count, 3);
    EXPECT_EQ(inner.scales[1].factor, 2);
}

TEST(Valid, OfTwoLayersOfAutodiffStillTracksInTheInnerOne) {
    using A2 = Autodiff<A>;
    auto module = sample::make_affine<A2>(2, Device<A2>());
    module.bias->set_requires_grad(false);
    const Affine<A> inner = module.valid();
    EXPECT_TRUE(inner.weight.value().is_tracked());
    EXPECT_FALSE(inner.bias->value().is_tracked());
    EXPECT_FALSE(inner.bias->requires_grad());
}

TEST(Train, UndoesValid) {
    const auto module = sample::make_everything<NdArray>(Device<NdArray>());
    const Everything<A> outer = module.train();
    EXPECT_TRUE(outer.first.weight.value().is_tracked());
    EXPECT_EQ(outer.first.weight.id(), module.first.weight.id());
    EXPECT_EQ(outer.mean.value().to_data(), module.mean.value().to_data());
    EXPECT_EQ(outer.valid().layers[1].weight.value().to_data(), module.layers[1].weight.value().to_data());
}

TEST(RunningState, OfACopyGoesOnByItself) {
    const auto module = sample::make_everything<A>(Device<A>());
    const auto copy = module;
    copy.mean.set(Tensor<A, 1>::ones({2}, Device<A>()));
    EXPECT_EQ(module.mean.value().to_data().at(0), 0);
    EXPECT_EQ(copy.mean.value().to_data().at(0), 1);
}

}  // namespace
}  // namespace burn::rebind_test
