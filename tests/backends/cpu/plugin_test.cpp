#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/object_loader.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "launch.h"
#include "tests/compiler/custom_ops.h"
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

TEST_F(PluginDeathTest, APipeOfItsNameIsNotWaitedFor) {
    const auto in_folder = [] {
        const ScratchFolder folder;
        if (::mkfifo(folder.path("burn_cpu_llvm.so").c_str(), 0600) != 0) std::exit(1);
        look_in(folder.root().c_str());
    };
    EXPECT_EXIT(in_folder(), testing::ExitedWithCode(0), "why: .*burn_cpu_llvm.so: no regular file\n");
}

/// Runs `body` in a process of its own; whether it ended well.
bool runs_well_in_another_process(void (*body)()) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_mapped(const char* name) {
    std::ifstream file("/proc/self/maps");
    const std::string maps(std::istreambuf_iterator<char>(file), {});
    return maps.find(name) != std::string::npos;
}

void add_two_kinds_of_numbers() {
    for (const DType dtype : {DType::F64, DType::I64}) {
        kernel::Builder k("add");
        const kernel::Place x = k.buffer(dtype, kernel::Access::ReadWrite);
        const kernel::Value i = k.cube_index() * 4;
        x.store(i, x.load(i, 4) + x.load(i, 4));
        std::vector<std::int64_t> zeros(8, 0);
        std::byte* buffers[] = {reinterpret_cast<std::byte*>(zeros.data())};
        const LaunchArguments arguments{buffers, nullptr};
        compiled(k.finish())->function(&arguments, 0, 2);
        EXPECT_EQ(zeros, std::vector<std::int64_t>(8, 0));
    }
}

void run_two_kernels() {
    add_two_kinds_of_numbers();
    EXPECT_TRUE(is_mapped("burn_cpu_llvm.so") && is_mapped("libLLVM"));
    EXPECT_EQ(kernel_cache().counters().compiled, 2u);
}

void run_them_from_disk() {
    add_two_kinds_of_numbers();
    EXPECT_FALSE(is_mapped("burn_cpu_llvm.so"));
    EXPECT_FALSE(is_mapped("libLLVM"));
    EXPECT_EQ(kernel_cache().counters().loaded, 2u);
    EXPECT_EQ(why_no_code_generator(), "");
}

void run_another_kernel() {
    run_them_from_disk();
    const std::string target = code_generator()->target();
    compiled(nothing());
    EXPECT_TRUE(is_mapped("burn_cpu_llvm.so"));
    EXPECT_EQ(code_generator()->target(), target) << "what is known is what the plug-in says";
}

void need_a_plugin() {
    if (code_generator() == nullptr) ::_exit(1);
}

/// Three programs one after the other, of which the first finds nothing on disk. Ends this one, which has opened nothing.
[[noreturn]] void run_programs_with_one_cache() {
    bool fine = false;
    {
        const ScratchFolder folder;
        ::setenv("BURN_CACHE_DIR", folder.root().c_str(), 1);
        fine = !runs_well_in_another_process(&need_a_plugin);
        ::setenv("BURN_CACHE_DIR", folder.path("kernels").c_str(), 1);
        fine = fine ||
               (runs_well_in_another_process(&run_two_kernels) && runs_well_in_another_process(&run_them_from_disk) &&
                runs_well_in_another_process(&run_another_kernel));
    }
    std::exit(fine ? 0 : 1);
}

TEST_F(PluginDeathTest, AProgramWithItsKernelsOnDiskOpensNoCompiler) {
    if (!ObjectLoader::knows_processor()) GTEST_SKIP() << "objects for this processor are loaded by LLVM";
    EXPECT_EXIT(run_programs_with_one_cache(), testing::ExitedWithCode(0), "");
}

/// A link to the plug-in of this build, in `folder`.
void link_plugin(const std::string& folder) {
    for (const std::string& path : plugin_paths()) {
        if (!std::filesystem::exists(path)) continue;
        std::filesystem::create_symlink(path, folder + "/burn_cpu_llvm.so");
        return;
    }
}

void operations_go_on_without_their_compiler() {
    ASSERT_NE(code_generator(), nullptr);
    ASSERT_FALSE(is_mapped("burn_cpu_llvm.so")) << "it is only known";
    ops::Engine& engine = CpuEager::engine(0);
    const ops::Handle x = engine.upload(TensorData::from<float>({2, 3}));
    ASSERT_TRUE(std::filesystem::remove(plugin_paths().front()));
    for (int i = 0; i < 2; ++i) {
        const ops::HandleList y = custom::apply_all(testing::Cubed{}, {x});
        EXPECT_EQ(engine.read(y[0]).wait().at(1), 27);
    }
    EXPECT_EQ(code_generator(), nullptr);
    EXPECT_THAT(why_no_code_generator(), HasSubstr("there is no "));
    EXPECT_FALSE(CpuEager::compiler_device(0).compiles());
    EXPECT_GT(CpuEager::compiler_device(0).vector_bytes(), 0u) << "who asked before may write a kernel yet";
    EXPECT_THROW(compiled(nothing()), UnsupportedError);
}

void plugin_is_found_from_another_folder() {
    ASSERT_NE(code_generator(), nullptr);
    ASSERT_FALSE(is_mapped("burn_cpu_llvm.so"));
    ASSERT_EQ(::chdir("/"), 0);
    ::setenv("BURN_PLUGIN_PATH", "/nonexistent", 1);
    EXPECT_NO_THROW(compiled(nothing()));
}

/// Runs `body` where a plug-in is known and not open yet; `path` is what BURN_PLUGIN_PATH says in the folder of its folder.
[[noreturn]] void run_with_a_known_plugin(const char* path, void (*body)()) {
    bool fine = false;
    {
        const ScratchFolder folder;
        std::filesystem::create_directory(folder.path("plugins"));
        link_plugin(folder.path("plugins"));
        std::filesystem::current_path(folder.root());
        ::setenv("BURN_CACHE_DIR", folder.path("cache").c_str(), 1);
        ::setenv("BURN_PLUGIN_PATH", path != nullptr ? path : folder.path("plugins").c_str(), 1);
        // Where there is no plug-in, there is nothing to lose.
        fine = !runs_well_in_another_process(&need_a_plugin) || runs_well_in_another_process(body);
        std::filesystem::current_path("/");
    }
    std::exit(fine ? 0 : 1);
}

TEST_F(PluginDeathTest, OneThatIsKnownButGoneIsMissingFromThenOn) {
    EXPECT_EXIT(run_with_a_known_plugin(nullptr, &operations_go_on_without_their_compiler), testing::ExitedWithCode(0),
                "");
}

TEST_F(PluginDeathTest, ItsFolderIsReadOnce) {
    EXPECT_EXIT(run_with_a_known_plugin("plugins", &plugin_is_found_from_another_folder), testing::ExitedWithCode(0),
                "");
}

TEST(Plugin, AnEmptyPathNamesNoFolder) {
    const char* set = std::getenv("BURN_PLUGIN_PATH");
    const std::string before = set != nullptr ? set : "";
    ::unsetenv("BURN_PLUGIN_PATH");
    const std::vector<std::string> paths = plugin_paths();
    ::setenv("BURN_PLUGIN_PATH", "", 1);
    EXPECT_EQ(plugin_paths(), paths);
    ::setenv("BURN_PLUGIN_PATH", "here", 1);
    EXPECT_EQ(plugin_paths(),
              std::vector<std::string>{(std::filesystem::current_path() / "here/burn_cpu_llvm.so").string()});
    set != nullptr ? ::setenv("BURN_PLUGIN_PATH", before.c_str(), 1) : ::unsetenv("BURN_PLUGIN_PATH");
}

TEST(Plugin, SaysEitherThatItIsThereOrWhyNot) {
    EXPECT_EQ(code_generator() == nullptr, !why_no_code_generator().empty());
    EXPECT_EQ(code_generator(), code_generator());
}

}  // namespace
}  // namespace burn::cpu::plugin_test
