#include <burn/base/held.h>

#include <burn/base/ref.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace burn::held_test {
namespace {

TEST(Held, IsWhatThePointerPointsTo) {
    const auto pointer = std::make_unique<int>(3);
    held(pointer, "Number") = 4;
    EXPECT_EQ(*pointer, 4);
    const auto shared = std::make_shared<const int>(5);
    EXPECT_EQ(&held(shared, "Number"), shared.get());
}

TEST(Held, NamesTheTypeThatWasMovedFrom) {
    struct Node : Counted {};
    Ref<Node> owner = make_ref<Node>();
    const Ref<Node> next = std::move(owner);
    EXPECT_EQ(&held(next, "Graph"), next.get());
    try {
        held(owner, "Graph");  // NOLINT(bugprone-use-after-move): that is the question
        FAIL() << "no error";
    } catch (const ArgumentError& error) {
        EXPECT_EQ(std::string(error.what()), "Graph: used after it was moved from");
    }
}

}  // namespace
}  // namespace burn::held_test
