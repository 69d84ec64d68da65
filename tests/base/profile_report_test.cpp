#include <burn/base/profile_report.h>

#include "tests/support/scratch_folder.h"

#include <burn/base/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <string>
#include <thread>

namespace burn::profile::profile_report_test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST(ProfileReport, ATableHasALineForEachName) {
    const std::vector<Row> rows{
        {Kind::Kernel, "rows  [64, 128]: add exp; 2 in, 1 out", 10, 0.0123, 0.0123, {24.6e6, 123e6}},
        {Kind::Operation, "matmul [2, 3], [3, 4]", 4, 40e-6, 20e-6, {0, 0}},
        {Kind::Compile, "rows", 1, 3.5, 0.00768, {0, 0}},
    };
    EXPECT_EQ(table(rows),
              "   calls      total       mean   share    GB/s  GFLOP/s\n"
              "      10   12.30 ms    1.23 ms   61.5%     2.0     10.0  kernel  rows  [64, 128]: add exp; 2 in, 1 out\n"
              "       4    40.0 us    10.0 us    0.1%       -        -  run     matmul [2, 3], [3, 4]\n"
              "       1    3.500 s    3.500 s   38.4%       -        -  compile rows\n");
}

TEST(ProfileReport, SaysWhatMemoryThereIs) {
    start();
    stop();
    EXPECT_THAT(table(), MatchesRegex("   calls .*GFLOP/s\n0.0 us measured; memory: [0-9.]+ MiB in [0-9]+ blocks, "
                                      "[0-9.]+ MiB at most, [0-9.]+ MiB kept for reuse\n"));
}

void outer_and_inner() {
    Span outer;
    outer.begin(Kind::Operation, "outer \"x\"\n", {8, 2});
    Span inner;
    inner.begin(Kind::Kernel, "inner", {});
}

TEST(ProfileReport, ATraceHasEverySpan) {
    start(true);
    outer_and_inner();
    std::thread(outer_and_inner).join();
    stop();
    const std::string text = trace();
    EXPECT_THAT(text,
                HasSubstr("{\"name\":\"outer \\\"x\\\"\\u000a\",\"cat\":\"run\",\"ph\":\"X\",\"pid\":1,\"tid\":"));
    EXPECT_THAT(text, HasSubstr("\"args\":{\"bytes\":8,\"operations\":2}}"));
    EXPECT_EQ(std::count(text.begin(), text.end(), 'X'), 4);
    start();
    outer_and_inner();
    stop();
    EXPECT_EQ(trace(), "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n") << "only the table was asked for";
}

TEST(ProfileReport, ATraceIsJsonWhereNumbersHaveACommaToo) {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr && std::setlocale(LC_NUMERIC, "fr_FR.UTF-8") == nullptr)
        GTEST_SKIP() << "this machine has neither German nor French";
    start(true);
    outer_and_inner();
    stop();
    const std::string text = trace();
    std::setlocale(LC_NUMERIC, before.c_str());
    EXPECT_THAT(text, testing::ContainsRegex("\"ts\":[0-9]+\\.[0-9][0-9][0-9],\"dur\":[0-9]+\\.[0-9][0-9][0-9],"));
}

TEST(ProfileReport, AFileIsWrittenWholeOrNotAtAll) {
    const ScratchFolder folder;
    start(true);
    outer_and_inner();
    stop();
    const std::string path = folder.path("trace.json");
    write_trace(path);
    EXPECT_EQ(folder.read("trace.json"), trace());
    const std::string nowhere = folder.path("no folder/trace.json");
    try {
        write_trace(nowhere);
        FAIL() << "there is no such folder";
    } catch (const IoError& error) {
        EXPECT_EQ(error.what(), "profile: the trace cannot be written to " + nowhere + ": No such file or directory");
    }
    EXPECT_EQ(folder.files().size(), 1u) << "nothing is left of what failed";
}

}  // namespace
}  // namespace burn::profile::profile_report_test
