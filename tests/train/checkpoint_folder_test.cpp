#include <burn/base/error.h>
#include <burn/train/checkpoint_folder.h>

#include <tests/support/scratch_folder.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

namespace burn::training::checkpoint_folder_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void write_checkpoint(const CheckpointFolder& folder, std::size_t epoch, const std::string& text) {
    CheckpointFolder::Writer writer(folder, epoch);
    std::ofstream(writer.path() + "/model") << text;
    writer.commit();
}

TEST(CheckpointFolder, ListsEpochsByNumber) {
    ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path("deep/below"));
    EXPECT_THAT(folder.epochs(), ElementsAre());
    for (const std::size_t epoch : {10, 9, 2}) write_checkpoint(folder, epoch, "x");
    scratch.write("deep/below/epoch-x", "");
    scratch.write("deep/below/epoch-", "");
    scratch.write("deep/below/notes.txt", "");
    EXPECT_THAT(folder.epochs(), ElementsAre(2, 9, 10));
    EXPECT_TRUE(folder.contains(9));
    EXPECT_FALSE(folder.contains(3));
    EXPECT_EQ(scratch.read("deep/below/epoch-9/model"), "x");
}

TEST(CheckpointFolder, AppearsAtCommitOnly) {
    ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path("c"));
    {
        CheckpointFolder::Writer writer(folder, 1);
        std::ofstream(writer.path() + "/model") << "half";
        EXPECT_FALSE(folder.contains(1));
        EXPECT_THAT(folder.epochs(), ElementsAre());
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path("c")));
    write_checkpoint(folder, 1, "old");
    write_checkpoint(folder, 1, "new");
    EXPECT_EQ(scratch.read("c/epoch-1/model"), "new");
}

TEST(CheckpointFolder, KeepsTheLastOnes) {
    ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path("c"));
    for (std::size_t epoch = 1; epoch <= 4; ++epoch) write_checkpoint(folder, epoch, "x");
    folder.keep_last(5);
    EXPECT_THAT(folder.epochs(), ElementsAre(1, 2, 3, 4));
    folder.keep_last(2);
    EXPECT_THAT(folder.epochs(), ElementsAre(3, 4));
    folder.remove(3);
    EXPECT_THAT(folder.epochs(), ElementsAre(4));
    EXPECT_THROW(folder.remove(3), IoError);
}

TEST(CheckpointFolder, RemovesWhatAKilledProgramLeft) {
    ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path("c"));
    std::filesystem::create_directories(scratch.path("c/epoch-3.partial"));
    std::filesystem::create_directories(scratch.path("c/mine.partial"));
    scratch.write("c/epoch-3.partial/model", "half");
    std::filesystem::create_directories(scratch.path("c/epoch-1.removed"));
    EXPECT_THAT(folder.epochs(), ElementsAre());
    folder.remove_partial();
    EXPECT_FALSE(std::filesystem::exists(scratch.path("c/epoch-3.partial")));
    EXPECT_FALSE(std::filesystem::exists(scratch.path("c/epoch-1.removed")));
    EXPECT_TRUE(std::filesystem::exists(scratch.path("c/mine.partial")));
}

TEST(CheckpointFolder, AReplacementCutShortKeepsTheOldOne) {
    // The old one has stepped aside; the new one, whole or half, has not got its name.
    for (const bool partial : {false, true}) {
        ScratchFolder scratch;
        std::filesystem::create_directories(scratch.path("c/epoch-3.replaced"));
        scratch.write("c/epoch-3.replaced/model", "old");
        if (partial) {
            std::filesystem::create_directories(scratch.path("c/epoch-3.partial"));
            scratch.write("c/epoch-3.partial/model", "half");
        }
        const CheckpointFolder folder(scratch.path("c"));
        EXPECT_THAT(folder.epochs(), ElementsAre(3));
        folder.remove_partial();
        EXPECT_TRUE(folder.contains(3));
        EXPECT_EQ(scratch.read("c/epoch-3/model"), "old");
    }
}

TEST(CheckpointFolder, AReplacementCutShortAtItsEndKeepsTheNewOne) {
    ScratchFolder scratch;
    std::filesystem::create_directories(scratch.path("c/epoch-3.replaced"));
    std::filesystem::create_directories(scratch.path("c/epoch-3"));
    scratch.write("c/epoch-3.replaced/model", "old");
    scratch.write("c/epoch-3/model", "new");
    const CheckpointFolder folder(scratch.path("c"));
    EXPECT_EQ(scratch.read("c/epoch-3/model"), "new");
    folder.remove_partial();
    EXPECT_EQ(scratch.read("c/epoch-3/model"), "new");
    EXPECT_FALSE(std::filesystem::exists(scratch.path("c/epoch-3.replaced")));
}

TEST(CheckpointFolder, AReplacementThatFailsLeavesTheOldOne) {
    ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path("c"));
    write_checkpoint(folder, 2, "old");
    CheckpointFolder::Writer writer(folder, 2);
    std::filesystem::remove_all(writer.path());
    EXPECT_THROW(writer.commit(), IoError);
    EXPECT_THAT(folder.epochs(), ElementsAre(2));
    EXPECT_EQ(scratch.read("c/epoch-2/model"), "old");
}

// Whenever a program that writes one epoch's checkpoint again and again is killed, a whole one is there.
TEST(CheckpointFolder, AKillAtAnyMomentLosesNothing) {
    ScratchFolder scratch;
    write_checkpoint(CheckpointFolder(scratch.path("c")), 1, "complete");
    for (int kill_after = 0; kill_after < 25; ++kill_after) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const CheckpointFolder folder(scratch.path("c"));
            while (true) {
                CheckpointFolder::Writer writer(folder, 1);
                std::ofstream(writer.path() + "/model") << "complete";
                // To remove much takes long, so that the kill comes between the steps often enough.
                for (int i = 0; i < 50; ++i) std::ofstream(writer.path() + "/" + std::to_string(i)) << i;
                writer.commit();
            }
        }
        ::usleep(2000 + 300 * static_cast<unsigned>(kill_after));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const CheckpointFolder folder(scratch.path("c"));
        ASSERT_THAT(folder.epochs(), ElementsAre(1)) << kill_after;
        ASSERT_EQ(scratch.read("c/epoch-1/model"), "complete") << kill_after;
    }
}

TEST(CheckpointFolder, AFileInTheWay) {
    ScratchFolder scratch;
    scratch.write("file", "");
    try {
        const CheckpointFolder folder(scratch.path("file/below"));
        FAIL() << "no error";
    } catch (const IoError& error) {
        EXPECT_THAT(error.what(), HasSubstr("file/below"));
    }
}

}  // namespace
}  // namespace burn::training::checkpoint_folder_test
