#include <burn/base/function_ref.h>

#include <gtest/gtest.h>

#include <string>

namespace burn::function_ref_test {
namespace {

int twice(FunctionRef<int(int)> function, int x) { return function(function(x)); }

int increment(int x) { return x + 1; }

TEST(FunctionRef, CallsLambdasFunctionsAndObjects) {
    int calls = 0;
    EXPECT_EQ(twice([&calls](int x) { return ++calls, x * 3; }, 2), 18);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(twice(increment, 5), 7);
    struct Adder {
        int amount;
        int operator()(int x) const { return x + amount; }
    };
    const Adder adder{10};
    EXPECT_EQ(twice(adder, 1), 21);
}

TEST(FunctionRef, PassesReferencesThrough) {
    std::string text;
    const auto append = [](std::string& to, std::string&& piece) { to += piece; };
    const FunctionRef<void(std::string&, std::string&&)> function = append;
    function(text, "abc");
    function(text, "def");
    EXPECT_EQ(text, "abcdef");
}

}  // namespace
}  // namespace burn::function_ref_test
