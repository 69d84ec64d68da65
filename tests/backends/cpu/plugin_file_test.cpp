#include <burn/backends/cpu/plugin_file.h>

#include <burn/backends/cpu/plugin.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/support/scratch_folder.h"

namespace burn::cpu::plugin_file_test {
namespace {

using testing::HasSubstr;

/// The file of the plug-in that this program found.
class PluginFile : public testing::Test {
protected:
    void SetUp() override {
        std::string why;
        const PluginEntry* entry = open_plugin(plugin_paths(), why);
        if (entry == nullptr) GTEST_SKIP() << "no plug-in here: " << why;
        path_ = file_of(entry);
        std::ifstream stream(path_, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(stream), {});
        ASSERT_GT(bytes_.size(), 20000u);
    }

    std::string path_, bytes_;
    const ScratchFolder folder_;
};

TEST_F(PluginFile, ABadOneHidesNoGoodOne) {
    folder_.write("bad.so", "x");
    folder_.write("cut.so", bytes_.substr(0, 20000));
    const std::string paths[] = {folder_.path("none.so"), folder_.path("bad.so"), folder_.path("cut.so"), path_};
    std::string why;
    const PluginEntry* entry = open_plugin(paths, why);
    ASSERT_NE(entry, nullptr) << why;
    Message error;
    static const CodeGenerator* generator = nullptr;  // generators live as long as the program
    generator = entry->create(Isa::Baseline, error);
    EXPECT_NE(generator, nullptr) << error.text();
}

TEST_F(PluginFile, OneThatIsCutOffIsNotLoaded) {
    // Wherever it ends; the section table stands last in what linkers write.
    for (std::size_t size : {std::size_t{64}, std::size_t{1000}, std::size_t{4096}, std::size_t{20000},
                             bytes_.size() / 2, bytes_.size() - 1}) {
        folder_.write("cut.so", bytes_.substr(0, size));
        const std::string paths[] = {folder_.path("cut.so")};
        std::string why;
        EXPECT_EQ(open_plugin(paths, why), nullptr) << size;
        EXPECT_EQ(why, folder_.path("cut.so") + " is cut off: it is shorter than its headers say") << size;
    }
}

TEST(OpenPlugin, SaysOfEachFileWhyItIsNone) {
    const ScratchFolder folder;
    folder.write("empty.so", "");
    folder.write("text.so", "not a library");
    const std::string paths[] = {folder.path("a.so"),    folder.path("empty.so"), folder.path("b.so"),
                                 folder.path("text.so"), folder.root() + "/",     "burn_no_such_library.so"};
    std::string why;
    EXPECT_EQ(open_plugin(paths, why), nullptr);
    EXPECT_THAT(why, testing::StartsWith("there is no " + folder.path("a.so") + ", " + folder.path("b.so") + "; "));
    for (const std::string& path : {paths[1], paths[3], paths[4], paths[5]}) EXPECT_THAT(why, HasSubstr(path + ": "));
}

TEST(OpenPlugin, ALibraryThatIsNoPluginIsRefused) {
    const std::string paths[] = {"libm.so.6"};
    std::string why;
    EXPECT_EQ(open_plugin(paths, why), nullptr);
    EXPECT_EQ(why, "libm.so.6 is no plug-in");
}

TEST_F(PluginFile, SaysWhichLibraryCompiles) {
    const std::string paths[] = {path_};
    std::string why;
    const PluginEntry* entry = open_plugin(paths, why);
    ASSERT_NE(entry, nullptr) << why;
    EXPECT_THAT(file_of(entry->in_compiler), testing::ContainsRegex("LLVM"));
    EXPECT_EQ(file_of(nullptr), "");
}

}  // namespace
}  // namespace burn::cpu::plugin_file_test
