#include <burn/base/error.h>
#include <burn/train/metric_history.h>

#include <gmock/gmock.h>

#include <cmath>

namespace burn::training::metric_history_test {
namespace {

MetricHistory history() {
    MetricHistory history(
        {{.name = "loss"}, {.name = "accuracy", .unit = "%", .higher_is_better = true, .decimals = 2}});
    history.add({.epoch = 1, .split = Split::Train, .values = {0.75, 70}});
    history.add({.epoch = 1, .split = Split::Valid, .values = {0.5, 80.5}});
    history.add({.epoch = 2, .split = Split::Train, .values = {0.25, 90}});
    history.add({.epoch = 2, .split = Split::Valid, .values = {0.625, 80.5}});
    return history;
}

TEST(MetricHistory, FindsTheBestOfEachSplit) {
    const MetricHistory h = history();
    EXPECT_EQ(h.lowest(0, Split::Train)->value, 0.25);
    EXPECT_EQ(h.lowest(0, Split::Train)->epoch, 2u);
    EXPECT_EQ(h.lowest(0, Split::Valid)->epoch, 1u);
    EXPECT_EQ(h.highest(0, Split::Valid)->value, 0.625);
    EXPECT_EQ(h.highest(1, Split::Valid)->epoch, 1u);  // the first of equals
    EXPECT_EQ(h.find(2, Split::Valid)->values[0], 0.625);
    EXPECT_EQ(h.find(3, Split::Valid), nullptr);
}

TEST(MetricHistory, PassesOverNaN) {
    MetricHistory h({{.name = "loss"}});
    h.add({.epoch = 1, .split = Split::Train, .values = {std::nan("")}});
    EXPECT_FALSE(h.lowest(0, Split::Train).has_value());
    h.add({.epoch = 2, .split = Split::Train, .values = {3}});
    EXPECT_EQ(h.lowest(0, Split::Train)->epoch, 2u);
    EXPECT_EQ(h.highest(0, Split::Train)->value, 3);
}

TEST(MetricHistory, WantsAValueForEachMetric) {
    MetricHistory h({{.name = "loss"}});
    EXPECT_THROW(h.add({.epoch = 1, .split = Split::Train, .values = {1, 2}}), ArgumentError);
}

TEST(MetricHistory, ShowsValuesWithTheirUnits) {
    EXPECT_EQ(show_value({.name = "loss"}, 0.12345), "0.1235");
    EXPECT_EQ(show_value({.name = "accuracy", .unit = "%", .decimals = 1}, 50), "50.0 %");
    EXPECT_EQ(show_value({.name = "huge"}, 1e308).size(), 309u + 5u);
}

TEST(MetricHistory, Summary) {
    EXPECT_EQ(history().summary(),
              "metric    split      min  epoch      max  epoch\n"
              "-----------------------------------------------\n"
              "loss      train   0.2500      2   0.7500      1\n"
              "loss      valid   0.5000      1   0.6250      2\n"
              "accuracy  train  70.00 %      1  90.00 %      2\n"
              "accuracy  valid  80.50 %      1  80.50 %      1\n");
}

}  // namespace
}  // namespace burn::training::metric_history_test
