#include <burn/backends/ndarray/ndarray.h>
#include <burn/train/metric.h>
#include <burn/train/step_output.h>

#include <gmock/gmock.h>

#include <cmath>

namespace burn::training::metric_test {
namespace {

template <class B>
ClassificationOutput<B> output(double loss, std::initializer_list<std::initializer_list<double>> rows,
                               std::initializer_list<int> targets) {
    const Device<B> device;
    return {.loss = Tensor<B, 1>::from({loss}, device),
            .output = Tensor<B, 2>::from(rows, device),
            .targets = Tensor<B, 1, Int>::from(targets, device)};
}

static_assert(Metric<LossMetric, ClassificationOutput<NdArray>>);
static_assert(Metric<LossMetric, RegressionOutput<Autodiff<NdArray>>>);
static_assert(Metric<AccuracyMetric, ClassificationOutput<Autodiff<NdArray>>>);
static_assert(!Metric<int, ClassificationOutput<NdArray>>);

TEST(LossMetric, WeighsStepsByTheirBatches) {
    LossMetric metric;
    EXPECT_TRUE(std::isnan(metric.running()));
    metric.update(output<NdArray>(1.0, {{0, 0}, {0, 0}, {0, 0}}, {0, 0, 0}));
    metric.update(output<NdArray>(5.0, {{0, 0}}, {0}));
    EXPECT_EQ(metric.value(), 5.0);
    EXPECT_EQ(metric.running(), 2.0);
    metric.clear();
    EXPECT_TRUE(std::isnan(metric.value()));
}

TEST(AccuracyMetric, CountsHits) {
    AccuracyMetric metric;
    metric.update(output<Autodiff<NdArray>>(0, {{1, 2, 0}, {3, 2, 1}, {0, 0, 1}, {0, 5, 1}}, {1, 0, 0, 2}));
    EXPECT_EQ(metric.value(), 50.0);
    metric.update(output<Autodiff<NdArray>>(0, {{1, 2, 0}}, {1}));
    EXPECT_EQ(metric.value(), 100.0);
    EXPECT_EQ(metric.running(), 60.0);
    EXPECT_EQ(show_value(metric.info(), metric.running()), "60.00 %");
}

}  // namespace
}  // namespace burn::training::metric_test
