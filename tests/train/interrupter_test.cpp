#include <burn/base/error.h>
#include <burn/train/interrupter.h>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace burn::training::interrupter_test {
namespace {

TEST(Interrupter, CopiesAreTheSameRequest) {
    const Interrupter interrupter;
    const Interrupter copy = interrupter;  // NOLINT(performance-unnecessary-copy-initialization): that is the test
    EXPECT_FALSE(copy.stopped());
    EXPECT_EQ(copy.reason(), "");
    interrupter.stop("enough");
    interrupter.stop("more than enough");
    EXPECT_TRUE(copy.stopped());
    EXPECT_EQ(copy.reason(), "enough");
    EXPECT_FALSE(Interrupter().stopped());
}

TEST(Interrupter, SignalsStopIt) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const Interrupter interrupter;
        const InterruptOnSignals guard(interrupter);
        EXPECT_FALSE(interrupter.stopped());
        std::raise(signal);
        EXPECT_TRUE(interrupter.stopped());
        EXPECT_EQ(interrupter.reason(), signal == SIGINT ? "Ctrl-C" : "SIGTERM");
    }
}

TEST(Interrupter, TheSecondSignalEndsTheProgram) {
    const pid_t child = ::fork();
    if (child == 0) {
        const Interrupter interrupter;
        const InterruptOnSignals guard(interrupter);
        std::raise(SIGINT);
        if (!interrupter.stopped()) ::_exit(1);
        std::raise(SIGINT);
        ::_exit(2);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
}

TEST(Interrupter, WhatWasThereBeforeComesBack) {
    const auto before = std::signal(SIGINT, SIG_IGN);
    {
        const Interrupter interrupter;
        const InterruptOnSignals guard(interrupter);
        std::raise(SIGINT);  // ignored on purpose, as under nohup
        EXPECT_FALSE(interrupter.stopped());
        EXPECT_THROW(InterruptOnSignals{interrupter}, InternalError);
    }
    EXPECT_EQ(std::signal(SIGINT, before), SIG_IGN);
}

TEST(Interrupter, MovedFromIsAnError) {
    Interrupter interrupter;
    const Interrupter taken = std::move(interrupter);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(interrupter.stop("enough"), ArgumentError);
    EXPECT_THROW(interrupter.stopped(), ArgumentError);
    EXPECT_THROW(interrupter.reason(), ArgumentError);
    EXPECT_THROW(InterruptOnSignals{interrupter}, ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_FALSE(taken.stopped());
}

}  // namespace
}  // namespace burn::training::interrupter_test
