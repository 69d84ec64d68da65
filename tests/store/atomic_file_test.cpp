#include <burn/store/atomic_file.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <thread>

namespace burn::store::atomic_file_test {
namespace {

using ::testing::HasSubstr;

std::string mode_of(const std::string& path) {
    struct stat facts = {};
    ::stat(path.c_str(), &facts);
    return std::to_string((facts.st_mode >> 6) & 7) + std::to_string((facts.st_mode >> 3) & 7) +
           std::to_string(facts.st_mode & 7);
}

/// Runs `body` in a process of its own and gives its status as waitpid does.
int in_child(const std::function<void()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST(AtomicFile, AppearsWholeAtCommit) {
    ScratchFolder folder;
    AtomicFile file(folder.path("a"));
    file.write(bytes::of("hello "));
    file.write(bytes::of("world"));
    EXPECT_EQ(file.size(), 11u);
    EXPECT_FALSE(std::filesystem::exists(folder.path("a")));
    file.commit();
    EXPECT_EQ(folder.read("a"), "hello world");
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_THROW(file.write(bytes::of("x")), InternalError);
    EXPECT_THROW(file.commit(), InternalError);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
    ScratchFolder folder;
    folder.write("a", "old");
    {
        AtomicFile file(folder.path("a"));
        file.write(bytes::of("new and longer"));
    }
    EXPECT_EQ(folder.read("a"), "old");
    EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, ReplacesAndKeepsPermissionsAndLinks) {
    ScratchFolder folder;
    folder.write("a", "a much longer text than the new one");
    ::chmod(folder.path("a").c_str(), 0640);
    std::filesystem::create_symlink("a", folder.path("link"));
    write_file(folder.path("link"), "new");
    EXPECT_EQ(folder.read("a"), "new");
    EXPECT_EQ(mode_of(folder.path("a")), "640");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
    EXPECT_EQ(folder.count(), 2u);

    const mode_t before = ::umask(022);
    write_file(folder.path("b"), "");
    ::umask(before);
    EXPECT_EQ(mode_of(folder.path("b")), "644");
}

TEST(AtomicFile, ARelativePathAndALongName) {
    ScratchFolder folder;
    const auto here = std::filesystem::current_path();
    std::filesystem::current_path(folder.path(""));
    write_file("plain", "1");
    write_file(std::string(255, 'n'), "2");
    std::filesystem::current_path(here);
    EXPECT_EQ(folder.read("plain"), "1");
    EXPECT_EQ(folder.read(std::string(255, 'n')), "2");
    EXPECT_EQ(folder.count(), 2u);
}

TEST(AtomicFile, WhatCannotBeWrittenIsAnIoErrorWithPathAndReason) {
    ScratchFolder folder;
    const auto message = [&](const std::string& path) {
        return message_of(ErrorKind::Io, [&] { AtomicFile file(path); });
    };
    EXPECT_EQ(message(folder.path("no/such")), "cannot write \"" + folder.path("no/such") + "\": the folder \"" +
                                                   folder.path("no") + "\" does not exist");
    EXPECT_THAT(message(folder.path("..")), HasSubstr("it is a folder"));
    EXPECT_THAT(message(folder.path("")), HasSubstr("no name of a file"));
    EXPECT_THAT(message(""), HasSubstr("no name of a file"));
    EXPECT_THAT(message("/dev/full"), HasSubstr("not a regular file"));  // and the device is still there:
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
    folder.write("file", "");
    EXPECT_THAT(message(folder.path("file/below")), HasSubstr("Not a directory"));
    EXPECT_THAT(message(folder.path(std::string(300, 'n'))), HasSubstr("File name too long"));
}

TEST(AtomicFile, AFolderThatMayNotBeWritten) {
    ScratchFolder folder;
    folder.write("a", "old");
    ::chmod(folder.path("").c_str(), 0555);
    const int status = in_child([&] {
        constexpr uid_t kNobody = 65534;
        if (::geteuid() == 0 && ::seteuid(kNobody) != 0) ::_exit(2);
        try {
            write_file(folder.path("a"), "new");
        } catch (const IoError& error) {
            ::_exit(std::string(error.what()).ends_with("Permission denied") ? 0 : 3);
        }
        ::_exit(4);
    });
    ::chmod(folder.path("").c_str(), 0755);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(folder.read("a"), "old");
    EXPECT_EQ(folder.count(), 1u);
}

/// Allows files of 64 KiB only, which fails a write as a full disk does.
void limit_file_size() {
    const rlimit limit{64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(AtomicFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
    ScratchFolder folder;
    folder.write("a", "old");
    const int status = in_child([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        limit_file_size();
        try {
            write_file(folder.path("a"), std::string(1 << 20, 'x'));
        } catch (const IoError& error) {
            ::_exit(std::string(error.what()).ends_with("File too large") ? 0 : 3);
        }
        ::_exit(4);
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(folder.read("a"), "old");
    EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, ASignalInTheMiddleLeavesTheOldFileAndNothingElse) {
    ScratchFolder folder;
    folder.write("a", "old");
    const int status = in_child([&] {
        AtomicFile file(folder.path("a"));
        file.write(bytes::of(std::string(1 << 20, 'x')));
        ::raise(SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(folder.read("a"), "old");
    EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, OfSeveralWritersOneWins) {
    ScratchFolder folder;
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i) {
        writers.emplace_back([&, i] {
            for (int round = 0; round < 20; ++round)
                write_file(folder.path("a"), std::string(10'000, static_cast<char>('a' + i)));
        });
    }
    for (std::thread& writer : writers) writer.join();
    const std::string text = folder.read("a");
    EXPECT_EQ(text, std::string(10'000, text.at(0)));
    EXPECT_EQ(folder.count(), 1u);
}

}  // namespace
}  // namespace burn::store::atomic_file_test
