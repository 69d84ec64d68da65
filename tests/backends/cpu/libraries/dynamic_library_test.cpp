#include <burn/backends/cpu/libraries/dynamic_library.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace burn::cpu::dynamic_library_test {
namespace {

using testing::HasSubstr;

constexpr const char* kMath[] = {"libburn_no_such_library.so", "libm.so.6"};
constexpr std::span<const char* const> kMissing(kMath, 1);

/// As if the environment did not say whether libraries are allowed.
class DynamicLibraryTest : public testing::Test {
protected:
    DynamicLibraryTest() {
        if (const char* value = std::getenv("BURN_LIBRARIES")) before_ = value;
        ::unsetenv("BURN_LIBRARIES");
    }
    ~DynamicLibraryTest() override {
        ::unsetenv("BURN_LIBRARIES");
        if (before_) ::setenv("BURN_LIBRARIES", before_->c_str(), 1);
    }

private:
    std::optional<std::string> before_;
};

TEST_F(DynamicLibraryTest, OpensTheFirstThatIsThere) {
    DynamicLibrary math(kMath);
    ASSERT_TRUE(math.is_open()) << math.reason();
    EXPECT_EQ(math.reason(), "");
    double (*cosine)(double) = nullptr;
    math.find("cos", cosine);
    ASSERT_NE(cosine, nullptr);
    EXPECT_EQ(cosine(0), 1);
}

TEST_F(DynamicLibraryTest, SaysWhyItIsNotThere) {
    DynamicLibrary missing(kMissing);
    EXPECT_FALSE(missing.is_open());
    EXPECT_THAT(missing.reason(), HasSubstr("libburn_no_such_library.so"));
    void (*function)() = nullptr;
    missing.find("anything", function);
    EXPECT_EQ(function, nullptr);
    EXPECT_THAT(missing.reason(), HasSubstr("libburn_no_such_library.so")) << "the first reason stays";
}

TEST_F(DynamicLibraryTest, IsNotUsedWithoutAllItsEntries) {
    DynamicLibrary math(kMath);
    void (*function)() = nullptr;
    math.find_optional("burn_no_such_entry", function);
    EXPECT_TRUE(math.is_open());
    math.find("burn_no_such_entry", function);
    EXPECT_EQ(function, nullptr);
    EXPECT_FALSE(math.is_open());
    EXPECT_EQ(math.reason(), "libm.so.6: has no burn_no_such_entry");
}

TEST_F(DynamicLibraryTest, CanBeSwitchedOff) {
    EXPECT_TRUE(libraries_allowed());
    ::setenv("BURN_LIBRARIES", "off", 1);
    const DynamicLibrary math(kMath);
    ::setenv("BURN_LIBRARIES", "on", 1);
    EXPECT_TRUE(libraries_allowed());
    EXPECT_FALSE(math.is_open());
    EXPECT_EQ(math.reason(), "BURN_LIBRARIES is off");
}

}  // namespace
}  // namespace burn::cpu::dynamic_library_test
