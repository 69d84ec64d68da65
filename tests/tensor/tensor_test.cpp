#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace burn::tensor_test {
namespace {

using B = Autodiff<NdArray>;

/// A tensor that was never set, or was moved from, is an error of the caller's, whatever is asked of it.
TEST(EmptyTensor, IsRefusedByEverything) {
    using T = Tensor<B, 2>;
    void (*const uses[])(T&) = {
        [](T& t) { t.shape(); },
        [](T& t) { t.dtype(); },
        [](T& t) { t.dim(0); },
        [](T& t) { t.to_data(); },
        [](T& t) { t.to_data_async(); },
        [](T& t) { t.exp(); },
        [](T& t) { t.sum(); },
        [](T& t) { t.transpose(); },
        [](T& t) { t.flip({0}); },
        [](T& t) { t.narrow(0, 0, 1); },
        [](T& t) { t.full_like(1); },
        [](T& t) { t.matmul(t); },
        [](T& t) { t.backward(); },
        [](T& t) { t.require_grad(); },
        [](T& t) { t.is_tracked(); },
        [](T& t) { t.detach(); },
        [](T& t) { t.inner(); },
        [](T& t) { t + Tensor<B, 2>::ones({1, 1}, Device<B>()); },
        [](T& t) { Tensor<B, 2>::ones({1, 1}, Device<B>()) + t; },
    };
    T never_set;
    T moved_from = T::ones({2, 2}, Device<B>());
    const T taken = std::move(moved_from);
    for (const auto use : uses) {
        EXPECT_THROW(use(never_set), ArgumentError);
        EXPECT_THROW(use(moved_from), ArgumentError);  // NOLINT: that is the point
    }
}

TEST(TensorRandom, SeedRepeatsTheNumbersOnEveryLayer) {
    Device<B> device;
    device.seed(42);
    const auto first = Tensor<B, 2>::random({3, 5}, Distribution::normal(0, 2), device);
    const auto second = Tensor<B, 2>::random({3, 5}, Distribution::normal(0, 2), device);
    EXPECT_NE(first.to_data(), second.to_data());
    Device<NdArray>().seed(42);
    EXPECT_EQ(first.to_data(),
              (Tensor<NdArray, 2>::random({3, 5}, Distribution::normal(0, 2), Device<NdArray>()).to_data()));
}

TEST(TensorRandom, EveryKindHasItsDefault) {
    Device<B> device;
    EXPECT_EQ((Tensor<B, 1>::random({2}, {}, device).dtype()), DType::F32);
    EXPECT_EQ((Tensor<B, 1, Int>::random({2}, {}, device).dtype()), DType::I64);
    EXPECT_EQ((Tensor<B, 1, Bool>::random({2}, {}, device).dtype()), DType::Bool);
    const auto half = Tensor<B, 1>::random({2}, {}, device, DType::F16);
    EXPECT_EQ(half.random_like(Distribution::uniform(1, 2)).dtype(), DType::F16);
}

TEST(TensorCloseness, TellsNearlyEqualFromOther) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const double nan = std::nan("");
    Device<B> device;
    const auto a = Tensor<B, 1>::from({1.0, 100.0, kInf, kInf, 5.0, nan}, device);
    const auto b = Tensor<B, 1>::from({1.0, 100.5, kInf, -kInf, kInf, nan}, device);
    EXPECT_EQ(a.is_close(b).to_data(), TensorData::from({true, false, true, false, false, false}));
    EXPECT_EQ(a.is_close(b, 0.01).to_data(), TensorData::from({true, true, true, false, false, false}));
    EXPECT_EQ(a.is_close(b, 0, 0.5).to_data(), TensorData::from({true, true, true, false, false, false}));
    EXPECT_FALSE(a.all_close(b).into_scalar<bool>());
    EXPECT_TRUE(b.contains_nan().into_scalar<bool>());
    EXPECT_FALSE((Tensor<B, 2>::from({{1.0, kInf}}, device).contains_nan().into_scalar<bool>()));
    try {
        a.is_close(Tensor<B, 1>::zeros({5}, device));
        ADD_FAILURE() << "6 and 5 elements";
    } catch (const ShapeError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("is_close: ", 0), 0u) << error.what();
    }
}

TEST(TensorCast, MovesWithinAndBetweenKinds) {
    Device<B> device;
    const auto x = Tensor<B, 1>::from({-1.5, 0.0, 2.5}, device);
    EXPECT_EQ(x.int_().to_data(), (TensorData::from<std::int64_t>({-1, 0, 2})));
    EXPECT_EQ(x.bool_().to_data(), TensorData::from({true, false, true}));
    EXPECT_EQ(x.bool_().float_().to_data(), TensorData::from({1.0f, 0.0f, 1.0f}));
    EXPECT_EQ(x.bool_().int_().to_data(), (TensorData::from<std::int64_t>({1, 0, 1})));
    EXPECT_EQ(x.cast(DType::F64).to_data(), TensorData::from({-1.5, 0.0, 2.5}));
    EXPECT_EQ(x.cast<Int>(DType::I8).to_data(), (TensorData::from<std::int8_t>({-1, 0, 2})));
    EXPECT_THROW(x.cast(DType::I32), DTypeError);
}

TEST(TensorFrom, TakesNestedListsAndTruthValues) {
    Device<B> device;
    const auto x = Tensor<B, 4>::from({{{{1, 2}}, {{3, 4}}}}, device);
    EXPECT_EQ(x.shape(), (Shape{1, 2, 1, 2}));
    EXPECT_EQ(x.dtype(), DType::F32);
    EXPECT_EQ((Tensor<B, 2, Bool>::from({{true, false}}, device).to_data()), TensorData::from({{true, false}}));
    EXPECT_EQ((Tensor<B, 1, Bool>::from({2, 0}, device).to_data()), TensorData::from({true, false}));
    EXPECT_THROW((Tensor<B, 2>::from({{1, 2}, {3}}, device)), ShapeError);
}

TEST(TensorCreation, TakesADtype) {
    Device<B> device;
    EXPECT_EQ((Tensor<B, 1>::zeros({2}, device, DType::F64).to_data()), TensorData::from({0.0, 0.0}));
    EXPECT_EQ((Tensor<B, 1, Int>::ones({1}, device, DType::U8).to_data()), TensorData::from<std::uint8_t>({1}));
    EXPECT_THROW((Tensor<B, 1>::zeros({2}, device, DType::I32)), DTypeError);
    EXPECT_EQ((Tensor<B, 2>::empty({2, 3}, device).shape()), (Shape{2, 3}));
}

TEST(TensorMeta, KnowsItsDeviceAndItsOwners) {
    Device<B> device;
    auto x = Tensor<B, 1>::ones({2}, device).require_grad();
    EXPECT_EQ(x.device(), device);
    EXPECT_TRUE(x.to_device(device).handle().same(x.handle()));
    EXPECT_EQ(x.rank(), 1u);
    auto y = Tensor<B, 1>::ones({2}, device);
    EXPECT_TRUE(y.can_mut());
    const auto copy = y;
    EXPECT_FALSE(y.can_mut());
    y.inplace([](Tensor<B, 1> t) { return std::move(t) * 3; });
    EXPECT_EQ(y.to_data(), TensorData::from({3.0f, 3.0f}));
    EXPECT_EQ(copy.to_data(), TensorData::from({1.0f, 1.0f}));
}

}  // namespace
}  // namespace burn::tensor_test
