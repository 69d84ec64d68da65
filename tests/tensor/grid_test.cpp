#include <burn/tensor/grid.h>

#include "tests/support/tensors.h"

namespace burn::grid_test {
namespace {

using testing::B;
using testing::count_up;
using testing::values;
using Values = std::vector<double>;

TEST(Meshgrid, GivesAnAxisEach) {
    const auto [y, x] = meshgrid(std::array{count_up<1>({2}), count_up<1>({3})});
    EXPECT_EQ(values(y), (Values{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(values(x), (Values{0, 1, 2, 0, 1, 2}));
    const auto flat =
        meshgrid(std::array{count_up<1>({2}), count_up<1>({3})}, GridIndexing::Matrix, GridSparsity::Sparse);
    EXPECT_EQ(flat[1].shape(), (Shape{1, 3}));
    EXPECT_EQ(values(meshgrid_stack(std::array{count_up<1>({2}), count_up<1>({2})}, -1)),
              (Values{0, 0, 0, 1, 1, 0, 1, 1}));
}

}  // namespace
}  // namespace burn::grid_test
