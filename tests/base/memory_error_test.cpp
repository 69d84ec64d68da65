#include <burn/base/memory_error.h>

#include <gtest/gtest.h>

#include <new>
#include <string>

namespace burn::memory_error_test {
namespace {

/// What is raised when something of this name runs out of memory.
std::string error_of(const std::string& name) {
    try {
        with_memory_errors_of([&] { return Message() << name.c_str(); },
                              [] { raise(ErrorKind::OutOfMemory, Message() << "no 8 bytes"); });
    } catch (const OutOfMemoryError& error) {
        return error.what();
    }
    return {};
}

TEST(MemoryError, SaysWhoWantedTheMemory) { EXPECT_EQ(error_of("exp"), "exp: no 8 bytes"); }

TEST(MemoryError, ALongNameLeavesRoomForTheError) {
    std::string expected(200, 'a');
    expected += "...: no 8 bytes";
    EXPECT_EQ(error_of(std::string(1000, 'a')), expected);
}

TEST(MemoryError, TheStandardLibrarysIsOneToo) {
    try {
        with_memory_errors_of([] { return Message() << "exp"; }, [] { throw std::bad_alloc(); });
        FAIL() << "no error";
    } catch (const OutOfMemoryError& error) {
        EXPECT_STREQ(error.what(), "exp: the host has no memory left");
    }
}

TEST(MemoryError, OtherErrorsAndResultsPass) {
    const auto name = [] { return Message() << "exp"; };
    EXPECT_EQ(with_memory_errors_of(name, [] { return 3; }), 3);
    try {
        with_memory_errors_of(name, [] { raise(ErrorKind::Index, Message() << "gather: index 9"); });
        FAIL() << "no error";
    } catch (const IndexError& error) {
        EXPECT_STREQ(error.what(), "gather: index 9");
    }
}

}  // namespace
}  // namespace burn::memory_error_test
