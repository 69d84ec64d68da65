#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

namespace burn {
namespace {

using B = Autodiff<NdArray>;

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

}  // namespace
}  // namespace burn
