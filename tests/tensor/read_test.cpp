#include <burn/tensor/read.h>

#include <burn/backends/ndarray/ndarray.h>

#include <gtest/gtest.h>

namespace burn::read_test {
namespace {

TEST(Read, VectorsHaveTheTypeAskedFor) {
    const auto x = Tensor<NdArray, 2>::from({{1.0, 2.5}, {3.0, -4.0}}, {});
    EXPECT_EQ(to_vector<float>(x), (std::vector<float>{1, 2.5, 3, -4}));
    EXPECT_EQ(to_vector<double>(x), (std::vector<double>{1, 2.5, 3, -4}));
    EXPECT_EQ(to_vector<int>(x.transpose()), (std::vector<int>{1, 3, 2, -4}));
    EXPECT_EQ(to_vector<bool>(x.greater_scalar(2)), (std::vector<bool>{false, true, true, false}));
}

TEST(Read, ScalarsComeFromTensorsOfOneElement) {
    const auto x = Tensor<NdArray, 2>::from({{2.5}}, {});
    EXPECT_EQ(x.into_scalar<double>(), 2.5);
    EXPECT_EQ(x.into_scalar<int>(), 2);
    EXPECT_EQ(x.greater_scalar(2).into_scalar<bool>(), true);
    EXPECT_THROW((Tensor<NdArray, 1>::from({1.0, 2.0}, {}).into_scalar<float>()), ShapeError);
}

}  // namespace
}  // namespace burn::read_test
