#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "launch.h"
#include "tests/support/scratch_folder.h"

namespace burn::cpu::plugin_test {
namespace {

using testing::HasSubstr;

kernel::Kernel nothing() { return kernel::Builder("nothing").finish(); }

/// Looks for the plug-in in `folder` alone, says on stderr why there is none, and ends the program.
[[noreturn]] void look_in(const char* folder) {
    ::setenv("BURN_PLUGIN_PATH", folder, 1);
    if (code_generator() != nullptr) std::exit(1);
    std::fprintf(stderr, "why: %s\n", why_no_code_generator().c_str());
    try {
        compiled(nothing());
    } catch (const UnsupportedError& error) {
        std::fprintf(stderr, "what: %s\n", error.what());
        std::exit(0);
    }
    std::exit(1);
}

// The plug-in is looked for once in the life of a program, so each of these is a program of its own.
class PluginDeathTest : public testing::Test {
protected:
    PluginDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(PluginDeathTest, AMissingPluginIsNoErrorUntilAKernelIsWanted) {
    EXPECT_EXIT(look_in("/nonexistent"), testing::ExitedWithCode(0),
                "why: there is no /nonexistent/burn_cpu_llvm.so.*\n"
                "what: kernel nothing: cannot be compiled: there is no /nonexistent/burn_cpu_llvm.so");
}

TEST_F(PluginDeathTest, AFileThatIsNoPluginIsRefused) {
    const auto in_folder = [](const char* content) {
        const ScratchFolder folder;
        std::ofstream(folder.root() + "/burn_cpu_llvm.so") << content;
        look_in(folder.root().c_str());
    };
    EXPECT_EXIT(in_folder("not a library"), testing::ExitedWithCode(0), "why: .*burn_cpu_llvm.so: ");
}

TEST(Plugin, SaysEitherThatItIsThereOrWhyNot) {
    EXPECT_EQ(code_generator() == nullptr, !why_no_code_generator().empty());
    EXPECT_EQ(code_generator(), code_generator());
}

}  // namespace
}  // namespace burn::cpu::plugin_test
