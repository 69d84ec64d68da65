#include <burn/base/error.h>
#include <burn/train/renderer.h>

#include "text_recorder.h"

#include <gmock/gmock.h>

namespace burn::training::renderer_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

double now = 0;
double test_clock() { return now; }

const MetricInfo kLoss{.name = "loss", .unit = "", .decimals = 3};
const MetricInfo kAccuracy{.name = "accuracy", .unit = "%", .higher_is_better = true, .decimals = 1};
const MetricReading kReadings[] = {{.info = &kLoss, .value = 9, .running = 0.5},
                                   {.info = &kAccuracy, .value = 9, .running = 84.25}};

StepReport step(std::size_t batch) {
    return {.epoch = 2,
            .epochs = 5,
            .split = Split::Train,
            .progress = {.items = batch * 10, .items_total = 1000, .batches = batch, .batches_total = 100},
            .metrics = kReadings};
}

MetricHistory history() {
    MetricHistory history({kLoss, kAccuracy});
    history.add({.epoch = 2, .split = Split::Train, .values = {0.5, 84.25}});
    history.add({.epoch = 2, .split = Split::Valid, .values = {0.25, 90}});
    return history;
}

class RendererTest : public ::testing::Test {
protected:
    RendererTest() { now = 100; }
};

TEST_F(RendererTest, PlainLines) {
    const auto output = std::make_shared<TextRecorder>();
    PlainRenderer renderer(output, test_clock);
    EXPECT_FALSE(renderer.wants_step());
    now += 31;
    EXPECT_TRUE(renderer.wants_step());
    renderer.step(step(40));
    EXPECT_FALSE(renderer.wants_step());
    EXPECT_EQ(output->take(), "epoch 2/5  train 40/100: loss 0.500, accuracy 84.2 %\n");
    now += 10;
    renderer.epoch(2, 5, history());
    EXPECT_EQ(output->take(),
              "epoch 2/5  train: loss 0.500, accuracy 84.2 %;  valid: loss 0.250, accuracy 90.0 %  (41.0 s)\n");
    renderer.message("checkpoint: x/epoch-2");
    EXPECT_EQ(output->take(), "checkpoint: x/epoch-2\n");
    renderer.finish(history());
    EXPECT_EQ(output->take(), "\n" + history().summary());
    renderer.finish(MetricHistory({kLoss}));
    EXPECT_EQ(output->take(), "");
    renderer.fail("the disk is full");
    EXPECT_EQ(output->take(), "error: the disk is full\n");
}

TEST_F(RendererTest, TheBarShowsMetricsAndTimeLeft) {
    const auto output = std::make_shared<TextRecorder>(120);
    ProgressBarRenderer renderer(output, test_clock);
    EXPECT_TRUE(renderer.wants_step());
    renderer.step(step(1));
    EXPECT_FALSE(renderer.wants_step());
    EXPECT_EQ(output->take(),
              "\r\x1b[Kepoch 2/5 train [>                             ] 1/100  loss 0.500, accuracy 84.2 %");
    now += 20;
    EXPECT_TRUE(renderer.wants_step());
    renderer.step(step(41));
    EXPECT_EQ(
        output->take(),
        "\r\x1b[Kepoch 2/5 train [============>                 ] 41/100  loss 0.500, accuracy 84.2 %  0:30 left");
    now += 7300;
    renderer.step(step(42));
    EXPECT_THAT(output->take(), HasSubstr("  2:52:36 left"));
    renderer.message("hello");
    EXPECT_EQ(output->take(), "\r\x1b[Khello\n");
    renderer.message("again");
    EXPECT_EQ(output->take(), "again\n");
}

TEST_F(RendererTest, TheBarNeverFillsTheLastColumn) {
    for (std::size_t width = 1; width < 130; ++width) {
        const auto output = std::make_shared<TextRecorder>(width);
        ProgressBarRenderer renderer(output, test_clock);
        renderer.step(step(0));
        now += 1;
        renderer.step(step(99));
        const std::string text = output->take();
        const std::string frame = text.substr(text.rfind("\x1b[K") + 3);
        ASSERT_LT(frame.size(), width);
        EXPECT_THAT(frame, StartsWith(std::string("epoch 2/5 train ").substr(0, width - 1)));
    }
}

TEST_F(RendererTest, TheBarGoesAwayAtTheEnd) {
    const auto output = std::make_shared<TextRecorder>(100);
    {
        ProgressBarRenderer renderer(output, test_clock);
        renderer.step(step(5));
        output->take();
    }
    EXPECT_EQ(output->take(), "\r\x1b[K");
    ProgressBarRenderer renderer(output, test_clock);
    renderer.step(step(5));
    output->take();
    renderer.finish(history());
    EXPECT_EQ(output->take(), "\r\x1b[K\n" + history().summary());
}

TEST_F(RendererTest, TheBarLeavesItsLineToAnError) {
    const auto output = std::make_shared<TextRecorder>(100);
    ProgressBarRenderer renderer(output, test_clock);
    renderer.step(step(5));
    output->take();
    renderer.fail("no");
    EXPECT_EQ(output->take(), "\n");
    renderer.fail("no");
    EXPECT_EQ(output->take(), "");
}

}  // namespace
}  // namespace burn::training::renderer_test
