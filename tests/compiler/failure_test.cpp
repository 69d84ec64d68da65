#include <burn/compiler/failure.h>

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

namespace burn::compiler::failure_test {
namespace {

FailureRef failure(const char* what) { return std::make_shared<Failure>(Error(ErrorKind::Index, what)); }

TEST(Failure, IsSeenOnceItWasRaised) {
    const FailureRef gather = failure("gather: index 9");
    EXPECT_FALSE(gather->seen());
    try {
        gather->raise();
    } catch (const IndexError& error) {
        EXPECT_STREQ(error.what(), "gather: index 9");
    }
    EXPECT_TRUE(gather->seen());
}

TEST(Failure, OfAnExceptionThatIsNoneOfTheLibrary) {
    try {
        throw std::runtime_error("boom");
    } catch (...) {
        EXPECT_EQ(current_failure()->error().kind(), ErrorKind::Internal);
        EXPECT_STREQ(current_failure()->error().what(), "boom");
    }
}

TEST(Failure, OfTheStandardLibrarysLackOfMemory) {
    try {
        throw std::bad_alloc();
    } catch (...) {
        EXPECT_EQ(current_failure()->error().kind(), ErrorKind::OutOfMemory);
        EXPECT_STREQ(current_failure()->error().what(), "the host has no memory left");
    }
}

TEST(UnseenFailures, GivesTheFirstThatNobodySaw) {
    const FailureRef first = failure("first"), second = failure("second"), third = failure("third");
    UnseenFailures failures;
    for (const FailureRef& each : {first, second, second, third}) failures.add(each);
    EXPECT_THROW(first->raise(), IndexError);
    EXPECT_EQ(failures.take_first(), second);
    EXPECT_TRUE(third->seen()) << "whoever asked could have had it";
    EXPECT_EQ(failures.take_first(), nullptr);
}

TEST(UnseenFailures, KeepsTheFirstOfVeryMany) {
    UnseenFailures failures;
    const FailureRef first = failure("first");
    failures.add(first);
    for (int i = 0; i < 1000; ++i) failures.add(failure("later"));
    EXPECT_EQ(failures.take_first(), first);
}

TEST(UnseenFailures, ComeAfterThoseThatTheyAreAddedTo) {
    const FailureRef first = failure("first");
    UnseenFailures mine, left;
    left.add(failure("left"));
    mine.add(first);
    mine.add(left);
    EXPECT_EQ(mine.take_first(), first);
}

}  // namespace
}  // namespace burn::compiler::failure_test
