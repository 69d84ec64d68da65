#include <burn/backends/cpu/libraries/library_file.h>

#include <burn/backends/cpu/libraries/dynamic_library.h>
#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/scratch_folder.h"

namespace burn::cpu::library_file_test {
namespace {

using testing::HasSubstr;

constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;

/// The bytes of a library that can be loaded.
std::string bytes_of_a_library() {
    void* library = ::dlopen("libm.so.6", kFlags);
    link_map* map = nullptr;
    if (library == nullptr || ::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return {};
    std::ifstream stream(map->l_name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class LibraryFile : public testing::Test {
protected:
    void SetUp() override { ASSERT_GT(bytes_.size(), 20000u); }

    std::string why_not(const std::string& name) const {
        std::string why;
        EXPECT_EQ(open_library(name, kFlags, why), nullptr);
        return why;
    }

    std::string bytes_ = bytes_of_a_library();
    const ScratchFolder folder_;
};

TEST_F(LibraryFile, AWholeOneIsOpened) {
    folder_.write("whole.so", bytes_);
    std::string why;
    EXPECT_NE(open_library(folder_.path("whole.so"), kFlags, why), nullptr) << why;
    EXPECT_NE(open_library("libm.so.6", kFlags, why), nullptr) << why;
}

TEST_F(LibraryFile, OneThatIsCutOffIsNotLoaded) {
    folder_.write("cut.so", bytes_.substr(0, 20000));
    EXPECT_EQ(why_not(folder_.path("cut.so")),
              folder_.path("cut.so") + " is cut off: it is shorter than its headers say");
}

TEST_F(LibraryFile, OneForAnotherProcessorIsSaidToBeSo) {
    const std::string expected = folder_.path("foreign.so") + " is for another kind of processor";
    std::string machine = bytes_, width = bytes_;
    machine[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(EM_68K);
    machine[offsetof(Elf64_Ehdr, e_machine) + 1] = 0;
    folder_.write("foreign.so", machine);
    EXPECT_EQ(why_not(folder_.path("foreign.so")), expected);
    width[EI_CLASS] = width[EI_CLASS] == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64;
    folder_.write("foreign.so", width);
    EXPECT_EQ(why_not(folder_.path("foreign.so")), expected);
}

TEST_F(LibraryFile, WhatIsNoLibraryIsLeftToTheLoader) {
    folder_.write("text.so", "not a library");
    EXPECT_THAT(why_not(folder_.path("text.so")), HasSubstr(folder_.path("text.so") + ": "));
    EXPECT_THAT(why_not("libburn_no_such_library.so"), HasSubstr("libburn_no_such_library.so"));
}

TEST_F(LibraryFile, WhatIsNoFileIsNotWaitedFor) {
    ASSERT_EQ(::mkfifo(folder_.path("pipe.so").c_str(), 0600), 0);
    ASSERT_EQ(::mkdir(folder_.path("folder.so").c_str(), 0700), 0);
    for (const char* name : {"pipe.so", "folder.so"})
        EXPECT_EQ(why_not(folder_.path(name)), folder_.path(name) + ": no regular file");
}

TEST(LibraryPlaces, HoldTheFileThatIsOpened) {
    EXPECT_EQ(library_places("/a/b.so"), std::vector<std::string>{"/a/b.so"});
    const std::vector<std::string> places = library_places("libm.so.6");
    EXPECT_TRUE(std::ranges::any_of(places, [](const std::string& path) { return std::filesystem::exists(path); }));
}

/// The loader reads LD_LIBRARY_PATH when a program starts, so another one has to look.
TEST_F(LibraryFile, OneOnTheLibraryPathIsCheckedToo) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    folder_.write("libburn_cut.so", bytes_.substr(0, 20000));
    ::setenv("LD_LIBRARY_PATH", folder_.root().c_str(), 1);
    const auto say_why = [] {
        const char* const names[] = {"libburn_cut.so"};
        std::fputs(DynamicLibrary(names).reason().c_str(), stderr);
        std::exit(0);
    };
    EXPECT_EXIT(say_why(), testing::ExitedWithCode(0), "libburn_cut.so is cut off");
    ::unsetenv("LD_LIBRARY_PATH");
}

}  // namespace
}  // namespace burn::cpu::library_file_test
