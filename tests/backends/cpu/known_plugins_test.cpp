#include <burn/backends/cpu/known_plugins.h>

#include <burn/backends/cpu/processor.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/scratch_folder.h"

namespace burn::cpu::known_plugins_test {
namespace {

class KnownPluginsTest : public testing::Test {
protected:
    void SetUp() override {
        if (processor_identity().empty()) GTEST_SKIP() << "nothing is known of this processor";
        files_.write("plugin.so", "a plug-in");
        files_.write("compiler.so", "a compiler");
        known_.keep(plugin_, compiler_, Isa::Baseline, facts_);
    }

    bool is_known(const std::vector<std::string>& files, Isa isa = Isa::Baseline) const {
        GeneratorFacts found;
        return known_.find(files, isa, found) && found == facts_;
    }

    const ScratchFolder files_, folder_;
    const std::vector<std::string> plugin_{files_.path("plugin.so")};
    const std::string compiler_ = files_.path("compiler.so");
    const GeneratorFacts facts_{"a target; build 1", 32};
    KnownPlugins known_{folder_.root()};
};

TEST_F(KnownPluginsTest, WhatAPluginSaidIsKnownToTheNextProgram) {
    EXPECT_TRUE(is_known(plugin_));
    GeneratorFacts found;
    EXPECT_TRUE(KnownPlugins(folder_.root()).find(plugin_, Isa::Baseline, found));
    EXPECT_EQ(found, facts_);
}

TEST_F(KnownPluginsTest, AnotherInstructionSetOrFileIsAnotherQuestion) {
    EXPECT_FALSE(is_known(plugin_, Isa::Avx2));
    EXPECT_FALSE(is_known({compiler_}));
    EXPECT_FALSE(is_known({files_.path("none.so")}));
}

TEST_F(KnownPluginsTest, FilesThatArePassedOverAreAPartOfTheQuestion) {
    const std::vector<std::string> files{files_.path("none.so"), files_.path("bad.so"), plugin_[0]};
    EXPECT_TRUE(is_known(files)) << "no other of them is there";
    files_.write("bad.so", "no plug-in");
    EXPECT_FALSE(is_known(files)) << "it may be one";
    known_.keep(files, compiler_, Isa::Baseline, facts_);
    EXPECT_TRUE(is_known(files));
    files_.write("bad.so", "a new one, which may be a plug-in");
    EXPECT_FALSE(is_known(files));
}

TEST_F(KnownPluginsTest, AnImpossibleWidthIsNotBelieved) {
    for (const int width : {0, -1, 8, 48, 1000000}) {
        const GeneratorFacts wrong{"a target", width};
        known_.keep(plugin_, compiler_, Isa::Avx2, wrong);
        GeneratorFacts found;
        EXPECT_FALSE(known_.find(plugin_, Isa::Avx2, found)) << width;
    }
}

TEST_F(KnownPluginsTest, AFileThatIsWrittenAgainIsNotBelieved) {
    files_.write("plugin.so", "b plug-in");  // of the same size
    EXPECT_FALSE(is_known(plugin_));
}

TEST_F(KnownPluginsTest, ACompilerThatIsReplacedOrGoneIsNotBelieved) {
    files_.write("other.so", "b compiler");
    ASSERT_EQ(::rename(files_.path("other.so").c_str(), compiler_.c_str()), 0);
    EXPECT_FALSE(is_known(plugin_));
    known_.keep(plugin_, compiler_, Isa::Baseline, facts_);
    EXPECT_TRUE(is_known(plugin_));
    ASSERT_EQ(::remove(compiler_.c_str()), 0);
    EXPECT_FALSE(is_known(plugin_));
}

TEST_F(KnownPluginsTest, ADamagedFileIsNotBelieved) {
    ASSERT_EQ(folder_.count(), 1u);
    const std::string name = folder_.files()[0].filename().string(), bytes = folder_.read(name);
    for (const std::size_t size : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
        folder_.write(name, bytes.substr(0, size));
        EXPECT_FALSE(is_known(plugin_)) << size;
    }
}

TEST_F(KnownPluginsTest, WithoutAFolderNothingIsKnown) {
    KnownPlugins nowhere("");
    nowhere.keep(plugin_, compiler_, Isa::Baseline, facts_);
    GeneratorFacts found;
    EXPECT_FALSE(nowhere.find(plugin_, Isa::Baseline, found));
}

}  // namespace
}  // namespace burn::cpu::known_plugins_test
