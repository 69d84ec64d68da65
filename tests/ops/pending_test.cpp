#include <burn/ops/pending.h>

#include <gtest/gtest.h>

#include <utility>

namespace burn::pending_test {
namespace {

class Seven final : public Pending<int>::Source {
public:
    bool ready() const override { return true; }
    int wait() override { return 7; }
};

TEST(Pending, GivesTheValueOrThatOfItsSource) {
    EXPECT_EQ(Pending<int>(3).wait(), 3);
    Pending<int> later(make_ref<Seven>());
    EXPECT_TRUE(later.ready());
    EXPECT_EQ(std::move(later).wait(), 7);
}

TEST(Pending, MovedFromIsAnError) {
    Pending<int> later(make_ref<Seven>());
    Pending<int> taken = std::move(later);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(later.ready(), ArgumentError);
    EXPECT_THROW(std::move(later).wait(), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ(std::move(taken).wait(), 7);
}

}  // namespace
}  // namespace burn::pending_test
