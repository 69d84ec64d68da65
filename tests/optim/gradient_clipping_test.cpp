#include <burn/optim/gradient_clipping.h>

#include "one_parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace burn::optim::gradient_clipping_test {
namespace {

using test::vector_of;
using testing::DoubleNear;
using testing::ElementsAre;

GradientsParams two_gradients() {
    GradientsParams gradients;
    gradients.set(1, vector_of({3, -4}));
    gradients.set(2, vector_of({0, 12}));
    return gradients;
}

std::vector<double> values(const GradientsParams& gradients, ParamId id) {
    const TensorData data = gradients.get<NdArray, 1>(id)->to_data();
    return {data.at(0), data.at(1)};
}

TEST(GradientClipping, LimitsEveryElement) {
    auto gradients = two_gradients();
    GradientClipping::value(3.5).clip(gradients);
    EXPECT_THAT(values(gradients, 1), ElementsAre(3, -3.5));
    EXPECT_THAT(values(gradients, 2), ElementsAre(0, 3.5));
}

TEST(GradientClipping, LimitsTheNormOfEachParameter) {
    auto gradients = two_gradients();
    GradientClipping::norm(10).clip(gradients);
    EXPECT_THAT(values(gradients, 1), ElementsAre(3, -4)) << "a norm of 5 stays";
    EXPECT_THAT(values(gradients, 2), ElementsAre(0, DoubleNear(10, 1e-5)));
}

TEST(GradientClipping, LimitsTheNormOfAllTogether) {
    auto gradients = two_gradients();  // 3, 4, 12: norm 13
    GradientClipping::global_norm(6.5).clip(gradients);
    EXPECT_THAT(values(gradients, 1), ElementsAre(DoubleNear(1.5, 1e-6), DoubleNear(-2, 1e-6)));
    EXPECT_THAT(values(gradients, 2), ElementsAre(0, DoubleNear(6, 1e-6)));
    auto small = two_gradients();
    GradientClipping::global_norm(13.5).clip(small);
    EXPECT_THAT(values(small, 2), ElementsAre(0, 12));
}

TEST(GradientClipping, LeavesZeroGradientsAndKeepsNan) {
    for (const auto& clipping :
         {GradientClipping::norm(1), GradientClipping::global_norm(1), GradientClipping::value(1)}) {
        GradientsParams gradients;
        gradients.set(1, vector_of({0, 0}));
        clipping.clip(gradients);
        EXPECT_THAT(values(gradients, 1), ElementsAre(0, 0));
        gradients.set(1, vector_of({std::numeric_limits<double>::quiet_NaN(), 0}));
        clipping.clip(gradients);
        EXPECT_TRUE(std::isnan(values(gradients, 1)[0]));
    }
}

TEST(GradientClipping, MeasuresHalfTypesInF32) {
    // 400 values of 100: the sum of squares, 4e6, is more than f16 holds; the norm is 2000.
    GradientsParams gradients;
    gradients.put(1, ops::full(Device<NdArray>().engine(), Shape{20, 20}, DType::F16, 100));
    GradientClipping::norm(1000).clip(gradients);
    const ops::Handle clipped = gradients.find(1);
    EXPECT_EQ(clipped.dtype(), DType::F16);
    EXPECT_NEAR(clipped.engine().read(clipped).wait().at(399), 50, 0.05);
}

TEST(GradientClipping, AsksForAPositiveThreshold) {
    GradientsParams gradients;
    EXPECT_THROW(GradientClipping::norm(0).clip(gradients), ArgumentError);
    EXPECT_THROW(GradientClipping::value(-1).clip(gradients), ArgumentError);
}

}  // namespace
}  // namespace burn::optim::gradient_clipping_test
