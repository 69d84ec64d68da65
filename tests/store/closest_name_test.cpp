#include <burn/store/closest_name.h>

#include <gmock/gmock.h>

namespace burn::store::closest_name_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EditDistance, CountsInsertionsRemovalsReplacementsAndSwaps) {
    EXPECT_EQ(edit_distance("", ""), 0u);
    EXPECT_EQ(edit_distance("abc", ""), 3u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);  // the textbook's pair
    EXPECT_EQ(edit_distance("weight", "wieght"), 1u);
    EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // where the unrestricted distance is 2
}

TEST(ClosestNames, ClosestFirstAndOnlyClose) {
    const std::vector<std::string> names = {"conv1.weight", "conv2.weight", "fc.bias", "fc.weights"};
    EXPECT_THAT(closest_names("conv1.wieght", names), ElementsAre("conv1.weight", "conv2.weight"));
    EXPECT_THAT(closest_names("fc.weight", names), ElementsAre("fc.weights"));
    EXPECT_THAT(closest_names("embedding", names), IsEmpty());
    EXPECT_THAT(closest_names("bias", names), ElementsAre("fc.bias"));
    EXPECT_THAT(closest_names("model.fc.bias", names), ElementsAre("fc.bias"));
    EXPECT_THAT(closest_names("conv1.weight", names, 1), ElementsAre("conv1.weight"));
}

TEST(ClosestNames, LongNamesCostNothing) {
    const std::vector<std::string> names(1000, std::string(100'000, 'x'));
    EXPECT_THAT(closest_names(std::string(100'000, 'y'), names), IsEmpty());
}

TEST(DidYouMean, ReadsAsAQuestion) {
    const std::vector<std::string> names = {"w1", "w2", "w3", "w4"};
    EXPECT_EQ(did_you_mean("w", std::vector<std::string>{"q"}), " (did you mean \"q\"?)");
    EXPECT_EQ(did_you_mean("w5", names), " (did you mean \"w1\", \"w2\" or \"w3\"?)");
    EXPECT_EQ(did_you_mean("something", names), "");
}

}  // namespace
}  // namespace burn::store::closest_name_test
