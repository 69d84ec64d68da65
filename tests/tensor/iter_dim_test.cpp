#include <burn/tensor/iter_dim.h>

#include "tests/support/tensors.h"

namespace burn::iter_dim_test {
namespace {

using testing::count_up;
using testing::values;
using Values = std::vector<double>;

TEST(IterDim, GivesSlicesFromBothEnds) {
    const auto slices = count_up<2>({2, 3}).iter_dim(1);
    EXPECT_EQ(slices.size(), 3);
    std::vector<Values> seen;
    for (const auto& column : slices) seen.push_back(values(column));
    EXPECT_EQ(seen, (std::vector<Values>{{0, 3}, {1, 4}, {2, 5}}));
    auto last = slices.end();
    EXPECT_EQ(values(*--last), (Values{2, 5}));
    EXPECT_EQ(values(slices[1]), (Values{1, 4}));
    EXPECT_THROW(slices[3], IndexError);
    EXPECT_THROW((count_up<2>({2, 3}).iter_dim(2)), IndexError);
}

}  // namespace
}  // namespace burn::iter_dim_test
