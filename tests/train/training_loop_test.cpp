#include <burn/base/error.h>
#include <burn/train/training_loop.h>

#include <tests/support/scratch_folder.h>
#include "text_recorder.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace burn::training::training_loop_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

/// A training whose state is one number, which every training step stirs with the epoch.
class Stirring final : public Trainee {
public:
    std::vector<MetricInfo> metrics() const override { return {{.name = name}}; }
    void begin(Split its_split, std::size_t its_epoch) override {
        split = its_split;
        epoch = its_epoch;
        batch = 0;
    }
    bool step() override {
        if (batch == 4) return false;
        ++batch;
        if (split == Split::Train) state = state * 6364136223846793005u + epoch;
        if (on_step) on_step();
        return true;
    }
    data::Progress progress() const override {
        return {.items = batch, .items_total = 4, .batches = batch, .batches_total = 4};
    }
    std::vector<MetricReading> readings() override {
        const auto value = static_cast<double>(state % 1000);
        return {{.info = &info, .value = value, .running = value}};
    }
    void save(const std::string& folder) const override {
        std::ofstream(folder + "/state") << state;
        if (on_save) on_save();
    }
    void load(const std::string& folder) override { std::ifstream(folder + "/state") >> state; }

    std::string name = "state";
    std::uint64_t state = 1;
    Split split = Split::Train;
    std::size_t epoch = 0;
    std::size_t batch = 0;
    std::function<void()> on_step;
    std::function<void()> on_save;

private:
    MetricInfo info{.name = "state"};
};

class TrainingLoopTest : public ::testing::Test {
protected:
    TrainingSettings settings(std::size_t epochs, const std::string& folder) {
        TrainingSettings settings;
        settings.epochs = epochs;
        settings.checkpoints = folder.empty() ? "" : scratch.path(folder);
        settings.renderers = {std::make_shared<PlainRenderer>(output)};
        settings.identity = "seed 1";
        return settings;
    }
    TrainingSettings resuming(std::size_t epochs, const std::string& folder) {
        TrainingSettings result = settings(epochs, folder);
        result.resume.emplace();
        return result;
    }
    std::vector<std::string> names_in(const std::string& folder) {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(scratch.path(folder))) {
            names.push_back(entry.path().filename());
        }
        std::ranges::sort(names);
        return names;
    }

    ScratchFolder scratch;
    std::shared_ptr<TextRecorder> output = std::make_shared<TextRecorder>();
};

TEST_F(TrainingLoopTest, RunsEveryEpochAndRemembersIt) {
    Stirring trainee;
    const TrainingOutcome outcome = run_training(trainee, settings(3, ""));
    EXPECT_EQ(outcome.epochs_done, 3u);
    EXPECT_EQ(outcome.interrupted, "");
    EXPECT_EQ(outcome.history.epochs().size(), 6u);
    EXPECT_THAT(output->text, HasSubstr("epoch 3/3  train: state "));
    EXPECT_THAT(output->text, EndsWith(outcome.history.summary()));
}

TEST_F(TrainingLoopTest, KeepsTheLastCheckpoints) {
    Stirring trainee;
    run_training(trainee, settings(4, "c"));
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-3", "epoch-4"));
    EXPECT_THAT(output->text, HasSubstr("checkpoint: " + scratch.path("c/epoch-4") + "\n"));
}

// A training from the start replaces the checkpoints of an earlier one, but not before its own first one is safe.
TEST_F(TrainingLoopTest, ACheckpointThatCannotBeWrittenLosesNoOther) {
    Stirring earlier;
    run_training(earlier, settings(6, "c"));
    ASSERT_THAT(names_in("c"), ElementsAre("epoch-5", "epoch-6"));
    scratch.write("c/epoch-1", "a file in the way");
    Stirring trainee;
    EXPECT_THROW(run_training(trainee, settings(1, "c")), IoError);
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1", "epoch-5", "epoch-6"));
    std::filesystem::remove(scratch.path("c/epoch-1"));
    run_training(trainee, settings(1, "c"));
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1"));
}

TEST_F(TrainingLoopTest, TwoAndTwoEpochsAreFour) {
    Stirring whole;
    const TrainingOutcome expected = run_training(whole, settings(4, "whole"));
    Stirring first;
    run_training(first, settings(2, "parts"));
    Stirring second;
    const TrainingOutcome outcome = run_training(second, resuming(4, "parts"));
    EXPECT_EQ(second.state, whole.state);
    EXPECT_EQ(outcome.history.epochs(), expected.history.epochs());
    EXPECT_EQ(outcome.history.summary(), expected.history.summary());
    EXPECT_THAT(output->text, HasSubstr("resuming after epoch 2 from " + scratch.path("parts/epoch-2") + "\n"));
    // Nothing is left to do:
    Stirring third;
    EXPECT_EQ(run_training(third, resuming(4, "parts")).epochs_done, 4u);
    EXPECT_EQ(third.state, whole.state);
}

TEST_F(TrainingLoopTest, AnEarlierCheckpointMayBeChosen) {
    Stirring whole;
    run_training(whole, settings(4, "c"));
    Stirring again;
    TrainingSettings from_three = resuming(4, "c");
    from_three.resume->epoch = 3;
    run_training(again, from_three);
    EXPECT_EQ(again.state, whole.state);
    from_three.resume->epoch = 1;
    EXPECT_THROW(run_training(again, from_three), RecordError);
}

TEST_F(TrainingLoopTest, AnInterruptionKeepsWhatIsDone) {
    Stirring trainee;
    TrainingSettings stopping = settings(4, "c");
    trainee.on_step = [&] {
        if (trainee.epoch == 2 && trainee.batch == 3) stopping.interrupter.stop("test");
    };
    const TrainingOutcome outcome = run_training(trainee, stopping);
    EXPECT_EQ(outcome.interrupted, "test");
    EXPECT_EQ(outcome.epochs_done, 1u);
    EXPECT_EQ(outcome.history.epochs().size(), 2u);
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1"));
    EXPECT_THAT(output->text, HasSubstr("interrupted (test) in epoch 2, train batch 3 of 4; the last checkpoint is " +
                                        scratch.path("c/epoch-1")));
    Stirring whole;
    run_training(whole, settings(4, ""));
    Stirring resumed;
    run_training(resumed, resuming(4, "c"));
    EXPECT_EQ(resumed.state, whole.state);
}

TEST_F(TrainingLoopTest, AKillInTheMiddleOfACheckpointKeepsTheOneBefore) {
    const pid_t child = ::fork();
    if (child == 0) {
        Stirring trainee;
        trainee.on_save = [&] {
            if (trainee.epoch == 3) ::raise(SIGKILL);
        };
        run_training(trainee, settings(4, "c"));
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1", "epoch-2", "epoch-3.partial"));
    Stirring whole;
    run_training(whole, settings(4, ""));
    Stirring resumed;
    run_training(resumed, resuming(4, "c"));
    EXPECT_EQ(resumed.state, whole.state);
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-3", "epoch-4"));
}

TEST_F(TrainingLoopTest, AFreshTrainingReplacesAnEarlierOneAtItsFirstCheckpoint) {
    Stirring old;
    run_training(old, settings(4, "c"));
    Stirring trainee;
    TrainingSettings fresh = settings(4, "c");
    fresh.interrupter.stop("test");
    run_training(trainee, fresh);
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-3", "epoch-4"));
    run_training(trainee, settings(1, "c"));
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1"));
}

TEST_F(TrainingLoopTest, AnErrorIsShownAndGoesOn) {
    Stirring trainee;
    trainee.on_step = [&] {
        if (trainee.epoch == 2) raise(ErrorKind::Parse, Message() << "item 7 is damaged");
    };
    EXPECT_THROW(run_training(trainee, settings(4, "c")), ParseError);
    EXPECT_THAT(output->text, EndsWith("error: item 7 is damaged\n"));
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1"));
    trainee.on_step = [] { throw 1; };
    EXPECT_THROW(run_training(trainee, settings(4, "")), int);
    EXPECT_THAT(output->text, EndsWith("error: unknown\n"));
}

TEST_F(TrainingLoopTest, ACheckpointThatFailsLeavesNothingHalfWritten) {
    Stirring trainee;
    trainee.on_save = [&] {
        if (trainee.epoch == 2) raise(ErrorKind::Io, Message() << "the disk is full");
    };
    EXPECT_THROW(run_training(trainee, settings(4, "c")), IoError);
    EXPECT_THAT(names_in("c"), ElementsAre("epoch-1"));
}

TEST_F(TrainingLoopTest, OnlyTheSameTrainingResumes) {
    const auto error_of = [](Trainee& trainee, const TrainingSettings& settings) -> std::string {
        try {
            run_training(trainee, settings);
        } catch (const RecordError& error) {
            return error.what();
        }
        return "no error";
    };
    Stirring trainee;
    EXPECT_EQ(error_of(trainee, resuming(4, "c")),
              "cannot resume: there is no checkpoint in \"" + scratch.path("c") + "\"");
    run_training(trainee, settings(1, "c"));
    TrainingSettings other = resuming(4, "c");
    other.identity = "seed 2";
    EXPECT_THAT(error_of(trainee, other), EndsWith("it is of another training: \"seed 1\", this one is \"seed 2\""));
    trainee.name = "loss";
    EXPECT_THAT(error_of(trainee, resuming(4, "c")), EndsWith("its metric \"state\" is \"loss\" in this training"));
}

TEST_F(TrainingLoopTest, WrongSettings) {
    Stirring trainee;
    TrainingSettings none = settings(1, "c");
    none.keep_checkpoints = 0;
    EXPECT_THROW(run_training(trainee, none), ArgumentError);
    EXPECT_THROW(run_training(trainee, resuming(1, "")), ArgumentError);
}

}  // namespace
}  // namespace burn::training::training_loop_test
