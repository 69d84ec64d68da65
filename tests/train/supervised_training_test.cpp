#include <burn/backends/ndarray/ndarray.h>
#include <burn/nn/dropout.h>
#include <burn/nn/linear.h>
#include <burn/optim/adam.h>
#include <burn/optim/sgd.h>
#include <burn/train/supervised_training.h>

#include <gmock/gmock.h>
#include <tests/support/scratch_folder.h>

#include "text_recorder.h"

#include <numeric>

namespace burn::training::supervised_training_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using A = Autodiff<NdArray>;

/// Points with the values of a plane at them.
template <Backend B>
struct Batch {
    Tensor<B, 2> points;
    Tensor<B, 2> values;
};

template <Backend B>
struct Batcher {
    Batch<B> batch(const std::vector<int>& items) const {
        std::vector<float> points, values;
        for (const int i : items) {
            const auto x = static_cast<float>(i % 5), y = static_cast<float>(i % 7);
            points.insert(points.end(), {x, y});
            values.push_back(0.5F * x - 0.25F * y);
        }
        const auto n = static_cast<std::int64_t>(items.size());
        const Device<B> device;
        return {.points = Tensor<B, 2>::from_data(TensorData::from(std::span<const float>(points), {n, 2}), device),
                .values = Tensor<B, 2>::from_data(TensorData::from(std::span<const float>(values), {n, 1}), device)};
    }
};

template <Backend B>
struct Net {
    nn::Linear<B> inner;
    nn::Dropout dropout;
    nn::Linear<B> outer;
    BURN_MODULE(Net, inner, dropout, outer)

    RegressionOutput<B> run(Batch<B> batch) const {
        auto output = outer.forward(dropout.forward(inner.forward(batch.points)).tanh());
        auto difference = output - batch.values;
        auto loss = (difference * difference).mean();
        return {.loss = std::move(loss), .output = std::move(output), .targets = std::move(batch.values)};
    }
    auto train_step(Batch<B> batch) const
        requires AutodiffBackend<B>
    {
        auto result = run(std::move(batch));
        auto gradients = result.loss.backward();
        return TrainOutput{std::move(gradients), std::move(result)};
    }
    auto valid_step(Batch<B> batch) const { return run(std::move(batch)); }
};

static_assert(TrainStep<Net<A>, Batch<A>>);
static_assert(!TrainStep<Net<NdArray>, Batch<NdArray>>);
static_assert(ValidStep<Net<NdArray>, Batch<NdArray>>);
static_assert(!ValidStep<Net<NdArray>, Batch<A>>);

data::InMemoryDataset<int> numbers(int count) {
    std::vector<int> items(static_cast<std::size_t>(count));
    std::iota(items.begin(), items.end(), 0);
    return data::InMemoryDataset<int>(std::move(items));
}

class SupervisedTrainingTest : public ::testing::Test {
protected:
    /// 35 points in batches of `batch`, and a validation on 10.
    auto training(const std::string& folder, std::size_t batch = 4) {
        const auto train =
            data::DataLoaderBuilder(Batcher<A>{}).batch_size(batch).shuffle(3).num_workers(1).build(numbers(35));
        const auto valid = data::DataLoaderBuilder(Batcher<NdArray>{}).batch_size(5).build(numbers(10));
        auto training = SupervisedTraining(scratch.path(folder), train, valid).metrics(LossMetric());
        training.renderer(std::make_shared<PlainRenderer>(output));
        return training;
    }
    Learner<Net<A>> learner(double dropout = 0.25) {
        const Device<A> device;
        device.seed(11);
        return {.model = {.inner = nn::LinearConfig{2, 16}.init(device),
                          .dropout = nn::DropoutConfig{dropout}.init(),
                          .outer = nn::LinearConfig{16, 1}.init(device)},
                .optimizer = optim::AdamConfig().init(),
                .lr_scheduler = optim::LinearLrSchedulerConfig{0.05, 0.001, 36}.init()};
    }
    std::string saved(const Learner<Net<A>>& learner) {
        save(learner.model, scratch.path("model.bpk"));
        save(learner.optimizer, scratch.path("optimizer.bpk"));
        return scratch.read("model.bpk") + scratch.read("optimizer.bpk");
    }

    ScratchFolder scratch;
    std::shared_ptr<TextRecorder> output = std::make_shared<TextRecorder>();
};

TEST_F(SupervisedTrainingTest, Learns) {
    const auto result = training("a").num_epochs(12).launch(learner(0));
    const MetricHistory& history = result.outcome.history;
    EXPECT_EQ(result.outcome.epochs_done, 12u);
    EXPECT_GT(history.find(1, Split::Train)->values[0], 0.1);
    EXPECT_LT(history.find(12, Split::Valid)->values[0], 0.02);
    EXPECT_THAT(output->text, HasSubstr(history.summary()));
    EXPECT_EQ(scratch.read("a/training.log"), output->text);
}

TEST_F(SupervisedTrainingTest, TwoRunsAreTheSame) {
    const auto first = training("a").num_epochs(2).launch(learner());
    const auto second = training("b").num_epochs(2).launch(learner());
    EXPECT_EQ(first.outcome.history.epochs(), second.outcome.history.epochs());
}

TEST_F(SupervisedTrainingTest, FourEpochsAreTwoAndTwo) {
    const auto whole = training("whole").num_epochs(4).launch(learner());
    training("parts").num_epochs(2).launch(learner());
    Learner<Net<A>> other = learner();
    Device<A>().seed(99);  // what a new process knows nothing of
    const auto rest = training("parts").num_epochs(4).resume().launch(std::move(other));
    EXPECT_EQ(rest.outcome.history.epochs(), whole.outcome.history.epochs());
    EXPECT_EQ(scratch.read("whole/checkpoints/epoch-4/state.bpk"), scratch.read("parts/checkpoints/epoch-4/state.bpk"));
    const auto values = [](const auto& result) {
        Learner<Net<A>> l = result.learner;
        return std::pair(l.model.inner.weight.value().inner().to_data(), l.lr_scheduler.step());
    };
    EXPECT_EQ(values(rest), values(whole));
}

TEST_F(SupervisedTrainingTest, AccumulatedBatchesAreOneLargeBatch) {
    // Without dropout, means over 5 batches of 7 sum to 5 times the mean over 35; SGD with a fifth of the rate is the same.
    const auto run = [&](const std::string& folder, std::size_t batch, std::size_t accumulation, double rate) {
        Learner<Net<A>> l = learner(0);
        l.optimizer = optim::SgdConfig().init();
        l.lr_scheduler = optim::ConstantLrSchedulerConfig{rate}.init();
        return training(folder, batch)
            .num_epochs(3)
            .grads_accumulation(accumulation)
            .launch(std::move(l))
            .outcome.history;
    };
    const MetricHistory large = run("large", 35, 1, 0.05);
    const MetricHistory small = run("small", 7, 5, 0.01);
    const MetricHistory rest = run("rest", 7, 100, 0.01);  // what is left over at the end of an epoch is an update
    for (std::size_t epoch = 1; epoch <= 3; ++epoch) {
        const double expected = large.find(epoch, Split::Valid)->values[0];
        EXPECT_NEAR(small.find(epoch, Split::Valid)->values[0], expected, 1e-5);
        EXPECT_NEAR(rest.find(epoch, Split::Valid)->values[0], expected, 1e-5);
    }
    EXPECT_LT(large.find(3, Split::Valid)->values[0], 0.9 * large.find(1, Split::Valid)->values[0]);
}

TEST_F(SupervisedTrainingTest, AnErrorOfTheDataArrives) {
    struct BadBatcher {
        Batch<A> batch(const std::vector<int>& items) const {
            if (items.back() == 20) raise(ErrorKind::Parse, Message() << "item 20 is damaged");
            return Batcher<A>().batch(items);
        }
    };
    const auto train = data::DataLoaderBuilder(BadBatcher{}).batch_size(1).num_workers(2).build(numbers(35));
    const auto valid = data::DataLoaderBuilder(Batcher<NdArray>{}).build(numbers(10));
    auto bad = SupervisedTraining(scratch.path("a"), train, valid).metrics(LossMetric());
    bad.renderer(std::make_shared<PlainRenderer>(output));
    EXPECT_THROW(bad.launch(learner()), ParseError);
    EXPECT_EQ(output->text, "error: item 20 is damaged\n");
    EXPECT_EQ(scratch.read("a/training.log"), output->text);
}

TEST_F(SupervisedTrainingTest, WithoutMetricsAndCheckpoints) {
    const auto train = data::DataLoaderBuilder(Batcher<A>{}).batch_size(8).build(numbers(35));
    const auto valid = data::DataLoaderBuilder(Batcher<NdArray>{}).build(numbers(10));
    auto bare = SupervisedTraining(scratch.path("a"), train, valid);
    bare.renderer(std::make_shared<PlainRenderer>(output)).without_checkpoints();
    bare.launch(learner());
    EXPECT_FALSE(std::filesystem::exists(scratch.path("a/checkpoints")));
    EXPECT_THROW(bare.grads_accumulation(0), ArgumentError);
}

TEST_F(SupervisedTrainingTest, AFolderThatCannotBe) {
    scratch.write("file", "");
    EXPECT_THROW(training("file/below").launch(learner()), IoError);
}

}  // namespace
}  // namespace burn::training::supervised_training_test
