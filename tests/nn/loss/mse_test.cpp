#include <burn/nn/loss/mse.h>

#include "../tensor_values.h"

#include <gtest/gtest.h>

namespace burn::nn::loss::mse_test {
namespace {

using test::values;

TEST(MseLoss, ReducesSquaredDifferences) {
    Device<NdArray> device;
    const auto x = Tensor<NdArray, 2>::from({{1, 2}, {3, 4}}, device);
    const auto y = Tensor<NdArray, 2>::from({{1, 0}, {0, 8}}, device);
    EXPECT_EQ(values(MseLoss().forward_no_reduction(x, y)), (std::vector<double>{0, 4, 9, 16}));
    EXPECT_EQ(values(MseLoss().forward(x, y)), (std::vector<double>{7.25}));
    EXPECT_EQ(values(MseLoss().forward(x, y, Reduction::Auto)), (std::vector<double>{7.25}));
    EXPECT_EQ(values(MseLoss().forward(x, y, Reduction::Sum)), (std::vector<double>{29}));
    EXPECT_EQ(values(MseLoss().forward(x, y, Reduction::BatchMean)), (std::vector<double>{14.5}));
    EXPECT_THROW(MseLoss().forward(x, Tensor<NdArray, 2>::ones({1, 2}, device)), ShapeError) << "nothing is broadcast";
}

}  // namespace
}  // namespace burn::nn::loss::mse_test
